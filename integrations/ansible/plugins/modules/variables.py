#!/usr/bin/python
# Copyright: The Muster authors
# Apache License 2.0 (see LICENSE or https://www.apache.org/licenses/LICENSE-2.0)

from __future__ import absolute_import, division, print_function

__metaclass__ = type

DOCUMENTATION = r"""
module: variables
short_description: Set and remove variables on one level
version_added: 0.1.0
description:
  - Sets or removes variables of a region, a cell, a label or a device. All devices below it resolve them, unless a narrower level overrides them.
author:
  - The Muster authors (@muster)
options:
  host:
    description: The name of a host.
    type: str
  network_device:
    description: The name of a network device.
    type: str
  label:
    description: The name of a label.
    type: str
  region:
    description: The name of a region. Together with C(cell), the region of the cell.
    type: str
  cell:
    description: The name of a cell of C(region).
    type: str
  variables:
    description: Keys and values. With C(state=absent), only the keys matter.
    type: dict
  keys:
    description: Keys to remove with C(state=absent), in addition to those of C(variables).
    type: list
    elements: str
  state:
    description:
      - With C(present), the variables are merged into those of the level.
      - With C(absent), the keys are removed from the level.
      - With C(exact), the level has these variables afterwards, and no others. Variables that the user may not see stay.
    type: str
    choices: [present, absent, exact]
    default: present
  if_match:
    description:
      - The version, or an entity tag, that the level must have. Otherwise nothing is written, and the module fails.
    type: str
extends_documentation_fragment:
  - muster.fleet.connection
  - muster.fleet.write
"""

EXAMPLES = r"""
- name: Set a variable for all devices in a rack
  muster.fleet.variables:
    region: north
    cell: rack-a
    variables:
      power_feed: B
    reason: "CHG-1044: feed B"

- name: Remove it
  muster.fleet.variables:
    region: north
    cell: rack-a
    keys: [power_feed]
    state: absent

- name: Set all variables of a label from a file
  muster.fleet.variables:
    label: web
    variables: "{{ lookup('file', 'web.yml') | from_yaml }}"
    state: exact
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
"""

from ansible_collections.muster.fleet.plugins.module_utils.client import COLLECTIONS, MusterError
from ansible_collections.muster.fleet.plugins.module_utils.module import operation, run, write_spec

KINDS = ("host", "network_device", "label", "cell", "region")


def find_level(params, client):
    """Returns the kind of the level, and the level with its id and version."""
    kind = next(kind for kind in KINDS if params[kind] is not None)
    region_id = client.find_id("region", params["region"]) if kind == "cell" else None
    level = client.find(kind, params[kind], region_id)
    if level is None:
        raise MusterError("There is no %s %s in Muster." % (kind.replace("_", " "), params[kind]))
    return kind, level


def write_variables(params, client, change):
    kind, level = find_level(params, client)
    path = "/v1/%s/%d" % (COLLECTIONS[kind], level["id"])
    variables = params["variables"] or {}
    if_match = params["if_match"]
    remove = []
    if params["state"] == "absent":
        remove = sorted(set(variables) | set(params["keys"] or []))
    elif params["state"] == "exact":
        own = client.get(path, [("resolved-values", "false"), ("fields", "version,variables")])
        remove = sorted(set(own["variables"]) - set(variables))
        # Another change must not happen between this read and the write.
        if_match = if_match or own["version"]
    operations = []
    if params["state"] != "absent" and variables:
        operations.append(operation("PUT", path, {"variables": variables}))
    if remove:
        operations.insert(0, operation("DELETE", path + "/variables", remove))
    if operations and if_match is not None:
        # The first operation raises the version if it changes something.
        operations[0] = operation(operations[0]["method"], operations[0]["path"], operations[0]["body"], if_match)
    results = change.write(operations)
    results.pop("results", None)
    return results


def main():
    spec = {kind: {"type": "str"} for kind in KINDS}
    spec.update(write_spec())
    spec["variables"] = {"type": "dict"}
    # Names of variables, which are not secret.
    spec["keys"] = {"type": "list", "elements": "str", "no_log": False}
    spec["state"] = {"type": "str", "choices": ["present", "absent", "exact"], "default": "present"}
    spec["if_match"] = {"type": "str"}
    run(
        spec,
        write_variables,
        required_one_of=[KINDS],
        required_by={"cell": ["region"]},
        required_if=[
            ("state", "present", ["variables"]),
            ("state", "exact", ["variables"]),
            ("state", "absent", ["variables", "keys"], True),
        ],
        mutually_exclusive=[("host", "network_device", "label", "region"), ("host", "network_device", "label", "cell")],
    )


if __name__ == "__main__":
    main()
