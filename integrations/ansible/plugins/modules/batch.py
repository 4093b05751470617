#!/usr/bin/python
# Copyright: The Muster authors
# Apache License 2.0 (see LICENSE or https://www.apache.org/licenses/LICENSE-2.0)

from __future__ import absolute_import, division, print_function

__metaclass__ = type

DOCUMENTATION = r"""
module: batch
short_description: Do several writes in one change
version_added: 0.1.0
description:
  - Does 1 to 1,000 writes of the inventory in one change, in order, all or none. The documentation of the API describes what a batch can write.
author:
  - The Muster authors (@muster)
options:
  operations:
    description: The operations, as the API has them.
    required: true
extends_documentation_fragment:
  - muster.fleet.connection
  - muster.fleet.operations
  - muster.fleet.write
"""

EXAMPLES = r"""
- name: Add a rack with a switch
  muster.fleet.batch:
    operations:
      - id: rack
        method: POST
        path: /v1/cells
        body:
          name: rack-9
          region_id: 1
      - method: POST
        path: /v1/network-devices
        body:
          name: switch-9
          region_id: 1
          cell_id:
            $ref: rack.id
          ip_address: 10.1.255.9
          device_type: switch
    reason: "CHG-1090: new rack"
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
results:
  description: The result of each operation, with its C(status), C(etag) and C(body).
  returned: success, except in check mode and with propose
  type: list
  elements: dict
"""

from ansible_collections.muster.fleet.plugins.module_utils.module import (
    batch_operations,
    operation_spec,
    run,
    write_spec,
)


def write_batch(params, dummy, change):
    return change.write(batch_operations(params["operations"]))


def main():
    spec = write_spec()
    spec["operations"] = dict(operation_spec(), required=True)
    run(spec, write_batch)


if __name__ == "__main__":
    main()
