"""A tour of Muster with a client that openapi-python-client generated."""

import os
from datetime import datetime, timedelta, timezone

from muster import AuthenticatedClient
from muster.api.cells import cells_create, cells_delete
from muster.api.hosts import hosts_create, hosts_delete, hosts_list, hosts_show, hosts_update
from muster.api.regions import regions_create, regions_delete
from muster.api.variables import host_variables_get, host_variables_set, hosts_set_variables, region_variables_set
from muster.models import (
    ApiError,
    Cell,
    CreateCell,
    CreateHost,
    CreateRegion,
    Host,
    Preview,
    Region,
    SetVariables,
    UpdateHost,
    Variables,
    VariableSetOutcome,
    VariableMap,
)
from muster.types import UNSET

client = AuthenticatedClient(
    base_url=os.environ["MUSTER_URL"],
    token=os.environ["MUSTER_TOKEN"],
    # Times with a zone: without this header, they are UTC without one.
    headers={"Prefer": "times=rfc3339"},
)


def check(result, expected):
    """The result of a request, if it has the expected type; it can also be an error."""
    if not isinstance(result, expected):
        raise RuntimeError(result)
    return result


# Create a region, a cell and a host. With an Idempotency-Key, a request can be repeated without creating another region.
north = CreateRegion(name="north")
region = check(regions_create.sync(client=client, body=north, idempotency_key="tour-north"), Region)
again = check(regions_create.sync(client=client, body=north, idempotency_key="tour-north"), Region)
rack = CreateCell(name="rack-a", region_id=region.id)
cell = check(cells_create.sync(client=client, body=rack), Cell)


def host_named(name, ip_address):
    return CreateHost(
        name=name, region_id=region.id, cell_id=cell.id, ip_address=ip_address, device_type="server"
    )


web = check(hosts_create.sync(client=client, body=host_named("web-1", "10.1.0.10")), Host)
print(f"Created the region {region.name}, the cell {cell.name} and the host {web.name}.")
print(f"Sent again with the same Idempotency-Key: {'the same' if again.id == region.id else 'another'} region.")
created = datetime.strptime(web.created_at, "%Y-%m-%dT%H:%M:%S.%f%z")
if datetime.now(timezone.utc) - created < timedelta(hours=1):
    print("web-1 was created within the last hour.")

# Create several hosts with one request: all or none.
more = [host_named(f"db-{number}", f"10.1.1.{number}") for number in range(1, 25)]
databases = check(hosts_create.sync(client=client, body=more), list)
print(f"Created {len(databases)} hosts with one request.")

# List all hosts by pages, until one is empty: the marker of the next page is the id of the last host of this one.
pages = []
marker = UNSET
while page := check(hosts_list.sync(client=client, limit=10, marker=marker), list):
    pages.append(page)
    marker = str(page[-1].id)
print(f"Pages of hosts: {', '.join(str(len(page)) for page in pages)}.")

# Set variables on a region and on a host. Hosts inherit those of their region and cell.
servers = VariableMap.from_dict({"ntp_servers": ["10.1.0.1", "10.1.0.2"]})
check(region_variables_set.sync(region.id, client=client, body=servers), Variables)
check(host_variables_set.sync(web.id, client=client, body=VariableMap.from_dict({"kernel": "6.12"})), Variables)
own = check(host_variables_get.sync(web.id, client=client), Variables).variables
print(f"Own variables of web-1: {', '.join(own.additional_keys)} {own['kernel']}.")
resolved = check(host_variables_get.sync(web.id, client=client, resolved_values=True), Variables).variables
print(f"Resolved variables of web-1: kernel {resolved['kernel']}, NTP servers {' and '.join(resolved['ntp_servers'])}.")

# Filter by resolved variables.
matching = check(hosts_list.sync(client=client, vars_='kernel:"6.12"'), list)
print(f"Hosts with kernel 6.12: {', '.join(host.name for host in matching)}.")

# Errors have a code, and details that name the field.
error = check(hosts_create.sync(client=client, body=host_named("web-2", "10.1.0")), ApiError)
print(f"400 {error.code.value}: {', '.join(detail.field for detail in error.details)}.")
error = check(hosts_show.sync(web.id + 1_000_000, client=client), ApiError)
print(f"404 {error.code.value}.")
error = check(hosts_create.sync(client=client, body=host_named("web-1", "10.1.0.11")), ApiError)
print(f"409 {error.code.value}.")

# Update a host only if nobody else has changed it since it was read.
read = check(hosts_show.sync(web.id, client=client), Host)
stale = check(
    hosts_update.sync(web.id, client=client, body=UpdateHost(note="moved"), if_match=f'"{read.version + 1}"'), ApiError
)
print(f"412 {stale.code.value}.")
updated = check(
    hosts_update.sync(web.id, client=client, body=UpdateHost(note="moved"), if_match=f'"{read.version}"'), Host
)
print(f'Updated with If-Match: web-1 has the note "{updated.note}".')

# A dry run validates a write and returns what it would do.
preview = check(hosts_delete.sync(web.id, client=client, dry_run=True), Preview)
still = check(hosts_show.sync(web.id, client=client), Host)
print(f"Dry run: would delete {preview.change.objects_total} host. {still.name} is still there.")

# Set variables on many hosts with one request.
selected = SetVariables.from_dict({"ids": [host.id for host in databases], "variables": {"kernel": "6.13"}})
outcome = check(hosts_set_variables.sync(client=client, body=selected), VariableSetOutcome)
print(f"Set kernel 6.13 on {outcome.updated} hosts with one request.")

# Delete: 204 has no content.
for host in [web, *databases]:
    check(hosts_delete.sync(host.id, client=client), type(None))
check(cells_delete.sync(cell.id, client=client), type(None))
check(regions_delete.sync(region.id, client=client), type(None))
print("Deleted all.")
