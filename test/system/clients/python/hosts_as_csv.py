"""Prints the hosts of a cell that have a kernel, with their NTP servers, as CSV: hosts_as_csv.py <cell> <kernel>"""

import csv
import json
import os
import sys

from muster import AuthenticatedClient
from muster.api.cells import cells_list
from muster.api.hosts import hosts_list
from muster.models import ApiError
from muster.types import UNSET

client = AuthenticatedClient(base_url=os.environ["MUSTER_URL"], token=os.environ["MUSTER_TOKEN"])


def check(result):
    if isinstance(result, ApiError):
        sys.exit(f"{result.code.value}: {result.message}")
    return result


cell_name, kernel = sys.argv[1:]
table = csv.writer(sys.stdout, lineterminator="\n")
table.writerow(["name", "ip_address", "ntp_servers"])
# The names of cells are unique in a region: several regions can have a cell of this name.
for cell in check(cells_list.sync(client=client, name=cell_name)):
    marker = UNSET
    while True:
        # The filter and the variables are resolved: it does not matter where a variable is set.
        page = check(
            hosts_list.sync(
                client=client,
                cell_id=[str(cell.id)],
                vars_=f"kernel:{json.dumps(kernel)}",
                limit=1000,
                marker=marker,
            )
        )
        for host in page:
            ntp_servers = host.variables.to_dict().get("ntp_servers", [])
            table.writerow([host.name, host.ip_address, " ".join(ntp_servers)])
        if not page:
            break
        marker = str(page[-1].id)
