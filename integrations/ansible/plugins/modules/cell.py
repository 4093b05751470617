#!/usr/bin/python
# Copyright: The Muster authors
# Apache License 2.0 (see LICENSE or https://www.apache.org/licenses/LICENSE-2.0)

from __future__ import absolute_import, division, print_function

__metaclass__ = type

DOCUMENTATION = r"""
module: cell
short_description: Create, change and delete cells
version_added: 0.1.0
description:
  - Creates a cell (a rack, a cage, a row) of a region, changes the given members of an existing one, or deletes it.
  - A cell with devices cannot be deleted.
  - To move a cell with its devices into another region, use M(muster.fleet.batch).
author:
  - The Muster authors (@muster)
options:
  name:
    description: The name of the cell.
    type: str
    required: true
  region:
    description: The name of its region.
    type: str
    required: true
  new_name:
    description: A new name for the cell. If there is no cell called C(name), but one with this name, it has been renamed already.
    type: str
  note:
    description: A text about the cell. It is also the reason of the change if C(reason) is not set.
    type: str
  labels:
    description: All labels of the cell. It loses others.
    type: list
    elements: str
extends_documentation_fragment:
  - muster.fleet.connection
  - muster.fleet.write
  - muster.fleet.resource
"""

EXAMPLES = r"""
- name: Add a rack
  muster.fleet.cell:
    region: north
    name: rack-a
    variables:
      power_feed: A

- name: Delete it
  muster.fleet.cell:
    region: north
    name: rack-a
    state: absent
"""

RETURN = r"""
changed:
  description: Whether something changed. In check mode, whether something would change.
  returned: always
  type: bool
change_id:
  description: The id of the change record, or null if nothing changed.
  returned: success
  type: int
impact:
  description: How many devices resolve other values because of the change, and of which variables.
  returned: in check mode, with --diff, and with propose
  type: dict
  sample: {devices: 3, keys: [ntp_servers]}
proposal:
  description: The proposal, new or already open.
  returned: with propose, if the change would change something
  type: dict
resource:
  description: The resource as it is after the change, without its variables. It is null if it does not exist any more.
  returned: success, except in check mode and with propose
  type: dict
"""

from ansible_collections.muster.fleet.plugins.module_utils.module import (
    given,
    resource_spec,
    run,
    write_resource,
    write_spec,
)


def write_cell(params, client, change):
    region = client.find("region", params["region"])
    if region is None and params["state"] == "absent":
        return {"changed": False, "change_id": None, "resource": None}
    region_id = client.find_id("region", params["region"]) if region is None else region["id"]

    def members(is_new):
        body = given(params, ("note", "labels", "variables"))
        if is_new:
            body["region_id"] = region_id
        return body

    return write_resource("cell", params, client, change, members, region_id)


def main():
    spec = dict(resource_spec(), **write_spec())
    spec["name"] = {"type": "str", "required": True}
    spec["region"] = {"type": "str", "required": True}
    spec["new_name"] = {"type": "str"}
    spec["note"] = {"type": "str"}
    spec["labels"] = {"type": "list", "elements": "str"}
    run(spec, write_cell)


if __name__ == "__main__":
    main()
