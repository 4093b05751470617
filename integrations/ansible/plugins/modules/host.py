#!/usr/bin/python
# Copyright: The Muster authors
# Apache License 2.0 (see LICENSE or https://www.apache.org/licenses/LICENSE-2.0)

from __future__ import absolute_import, division, print_function

__metaclass__ = type

DOCUMENTATION = r"""
module: host
short_description: Create, change and delete hosts
version_added: 0.1.0
description:
  - Creates a host, changes the given members of an existing one, or deletes it.
author:
  - The Muster authors (@muster)
extends_documentation_fragment:
  - muster.fleet.connection
  - muster.fleet.write
  - muster.fleet.resource
  - muster.fleet.device
"""

EXAMPLES = r"""
- name: Add a host
  muster.fleet.host:
    name: web-1
    region: north
    cell: rack-a
    ip_address: 10.1.0.11
    device_type: server
    labels: [web]
    variables:
      serial: MX7-0042
    reason: "CHG-1042: a new web server"

- name: Take the host of the play out of service
  muster.fleet.host:
    name: "{{ inventory_hostname }}"
    active: false
    add_labels: [spare]
  delegate_to: localhost

- name: Delete it, unless somebody changed it meanwhile
  muster.fleet.host:
    name: web-1
    state: absent
    if_match: "3"
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


def write_host(params, client, change):
    return write_device("host", params, client, change)


def main():
    run(dict(device_spec(), **dict(resource_spec(), **write_spec())), write_host)


if __name__ == "__main__":
    main()
