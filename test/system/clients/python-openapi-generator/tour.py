"""A tour of Muster with a Python client that openapi-generator generated."""

import os
from datetime import datetime, timedelta, timezone

import muster
from muster import (
    CellsApi,
    CreateCell,
    CreateCells,
    CreateHost,
    CreateHosts,
    CreateRegion,
    CreateRegions,
    HostsApi,
    RegionsApi,
    SetVariables,
    UpdateHost,
    VariablesApi,
)
from muster.exceptions import ApiException

client = muster.ApiClient(
    muster.Configuration(host=os.environ["MUSTER_URL"], access_token=os.environ["MUSTER_TOKEN"])
)
# Times with a zone: without this header, they are UTC without one.
client.set_default_header("Prefer", "times=rfc3339")
regions, cells, hosts, variables = RegionsApi(client), CellsApi(client), HostsApi(client), VariablesApi(client)


def refusal(request, *arguments, **options):
    """The error with which a request fails: its `data` has the code and the details."""
    try:
        request(*arguments, **options)
    except ApiException as error:
        return error
    raise RuntimeError("The request did not fail.")


# Create a region, a cell and a host. With an Idempotency-Key, a request can be repeated without creating another region.
north = CreateRegions(CreateRegion(name="north"))
region = regions.regions_create(north, idempotency_key="tour-north").actual_instance
again = regions.regions_create(north, idempotency_key="tour-north").actual_instance
cell = cells.cells_create(CreateCells(CreateCell(name="rack-a", region_id=region.id))).actual_instance


def host_named(name, ip_address):
    return CreateHost(
        name=name, region_id=region.id, cell_id=cell.id, ip_address=ip_address, device_type="server"
    )


web = hosts.hosts_create(CreateHosts(host_named("web-1", "10.1.0.10"))).actual_instance
print(f"Created the region {region.name}, the cell {cell.name} and the host {web.name}.")
print(f"Sent again with the same Idempotency-Key: {'the same' if again.id == region.id else 'another'} region.")
created = datetime.strptime(web.created_at, "%Y-%m-%dT%H:%M:%S.%f%z")
if datetime.now(timezone.utc) - created < timedelta(hours=1):
    print("web-1 was created within the last hour.")

# Create several hosts with one request: all or none.
more = [host_named(f"db-{number}", f"10.1.1.{number}") for number in range(1, 25)]
databases = hosts.hosts_create(CreateHosts(more)).actual_instance
print(f"Created {len(databases)} hosts with one request.")

# List all hosts by pages, until one is empty: the marker of the next page is the id of the last host of this one.
pages = []
marker = None
while page := hosts.hosts_list(limit=10, marker=marker):
    pages.append(page)
    marker = str(page[-1].id)
print(f"Pages of hosts: {', '.join(str(len(page)) for page in pages)}.")

# Set variables on a region and on a host. Hosts inherit those of their region and cell.
variables.region_variables_set(region.id, {"ntp_servers": ["10.1.0.1", "10.1.0.2"]})
variables.host_variables_set(web.id, {"kernel": "6.12"})
own = variables.host_variables_get(web.id).variables
print(f"Own variables of web-1: {', '.join(own)} {own['kernel']}.")
resolved = variables.host_variables_get(web.id, resolved_values=True).variables
print(f"Resolved variables of web-1: kernel {resolved['kernel']}, NTP servers {' and '.join(resolved['ntp_servers'])}.")

# Filter by resolved variables.
matching = hosts.hosts_list(vars='kernel:"6.12"')
print(f"Hosts with kernel 6.12: {', '.join(host.name for host in matching)}.")

# Errors have a code, and details that name the field.
invalid = refusal(hosts.hosts_create, CreateHosts(host_named("web-2", "10.1.0")))
print(f"{invalid.status} {invalid.data.code}: {', '.join(detail.var_field for detail in invalid.data.details)}.")
missing = refusal(hosts.hosts_show, web.id + 1_000_000)
print(f"{missing.status} {missing.data.code}.")
duplicate = refusal(hosts.hosts_create, CreateHosts(host_named("web-1", "10.1.0.11")))
print(f"{duplicate.status} {duplicate.data.code}.")

# Update a host only if nobody else has changed it since it was read.
version = hosts.hosts_show(web.id).version
stale = refusal(hosts.hosts_update, web.id, UpdateHost(note="moved"), if_match=f'"{version + 1}"')
print(f"{stale.status} {stale.data.code}.")
updated = hosts.hosts_update(web.id, UpdateHost(note="moved"), if_match=f'"{version}"').actual_instance
print(f'Updated with If-Match: web-1 has the note "{updated.note}".')

# A dry run validates a write and returns what it would do.
preview = hosts.hosts_delete(web.id, dry_run=True)
still = hosts.hosts_show(web.id)
print(f"Dry run: would delete {preview.change.objects_total} host. {still.name} is still there.")

# Set variables on many hosts with one request.
selected = SetVariables(ids=[host.id for host in databases], variables={"kernel": "6.13"})
outcome = variables.hosts_set_variables(selected).actual_instance
print(f"Set kernel 6.13 on {outcome.updated} hosts with one request.")

# Delete: 204 has no content.
for host in [web, *databases]:
    hosts.hosts_delete(host.id)
cells.cells_delete(cell.id)
regions.regions_delete(region.id)
print("Deleted all.")
