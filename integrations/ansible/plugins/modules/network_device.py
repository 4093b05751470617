#!/usr/bin/python
# Copyright: The Muster authors
# Apache License 2.0 (see LICENSE or https://www.apache.org/licenses/LICENSE-2.0)

from __future__ import absolute_import, division, print_function

__metaclass__ = type

DOCUMENTATION = r"""
module: network_device
short_description: Create, change and delete network devices
version_added: 0.1.0
description:
  - Creates a network device, changes the given members of an existing one, or deletes it.
author:
  - The Muster authors (@muster)
options:
  model_name:
    description: The model.
    type: str
  os_version:
    description: The version of its operating system.
    type: str
  vlans:
    description: Its VLANs, as any value.
    type: raw
extends_documentation_fragment:
  - muster.fleet.connection
  - muster.fleet.write
  - muster.fleet.resource
  - muster.fleet.device
"""

EXAMPLES = r"""
- name: Add a switch
  muster.fleet.network_device:
    name: switch-1
    region: north
    cell: rack-a
    ip_address: 10.1.255.1
    device_type: switch
    model_name: QFX5120
    vlans: [100, 200]

- name: Record the version that a play has installed
  muster.fleet.network_device:
    name: switch-1
    os_version: 23.4R1
    reason: "CHG-1051: upgrade"
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
    device_spec,
    resource_spec,
    run,
    write_device,
    write_spec,
)


def write_network_device(params, client, change):
    return write_device("network_device", params, client, change, ("model_name", "os_version", "vlans"))


def main():
    spec = dict(device_spec(), **dict(resource_spec(), **write_spec()))
    spec["model_name"] = {"type": "str"}
    spec["os_version"] = {"type": "str"}
    spec["vlans"] = {"type": "raw"}
    run(spec, write_network_device)


if __name__ == "__main__":
    main()
