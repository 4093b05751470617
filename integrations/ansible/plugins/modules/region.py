#!/usr/bin/python
# Copyright: The Muster authors
# Apache License 2.0 (see LICENSE or https://www.apache.org/licenses/LICENSE-2.0)

from __future__ import absolute_import, division, print_function

__metaclass__ = type

DOCUMENTATION = r"""
module: region
short_description: Create, change and delete regions
version_added: 0.1.0
description:
  - Creates a region, changes the given members of an existing one, or deletes it.
  - A region with cells or devices cannot be deleted.
author:
  - The Muster authors (@muster)
options:
  name:
    description: The name of the region.
    type: str
    required: true
  new_name:
    description: A new name for the region. If there is no region called C(name), but one with this name, it has been renamed already.
    type: str
  cloud:
    description: The name of the cloud that it belongs to. An empty text removes it from its cloud.
    type: str
  note:
    description: A text about the region. It is also the reason of the change if C(reason) is not set.
    type: str
  labels:
    description: All labels of the region. It loses others.
    type: list
    elements: str
extends_documentation_fragment:
  - muster.fleet.connection
  - muster.fleet.write
  - muster.fleet.resource
"""

EXAMPLES = r"""
- name: Add a region
  muster.fleet.region:
    name: north
    variables:
      ntp_servers: [10.1.0.1]

- name: Delete it
  muster.fleet.region:
    name: north
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


def write_region(params, client, change):
    def members(dummy):
        body = given(params, ("note", "labels", "variables"))
        if params["cloud"] is not None:
            body["cloud_id"] = client.find_id("cloud", params["cloud"]) if params["cloud"] else None
        return body

    return write_resource("region", params, client, change, members)


def main():
    spec = dict(resource_spec(), **write_spec())
    spec["name"] = {"type": "str", "required": True}
    spec["new_name"] = {"type": "str"}
    spec["cloud"] = {"type": "str"}
    spec["note"] = {"type": "str"}
    spec["labels"] = {"type": "list", "elements": "str"}
    run(spec, write_region)


if __name__ == "__main__":
    main()
