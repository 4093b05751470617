#!/usr/bin/python
# Copyright: The Muster authors
# Apache License 2.0 (see LICENSE or https://www.apache.org/licenses/LICENSE-2.0)

from __future__ import absolute_import, division, print_function

__metaclass__ = type

DOCUMENTATION = r"""
module: label
short_description: Create, change and delete labels
version_added: 0.1.0
description:
  - Creates a label, changes an existing one, or deletes it.
  - Labels are also created when a device gets them. A label in use cannot be deleted.
author:
  - The Muster authors (@muster)
options:
  name:
    description: The name of the label.
    type: str
    required: true
  new_name:
    description: A new name for the label. If there is no label called C(name), but one with this name, it has been renamed already.
    type: str
extends_documentation_fragment:
  - muster.fleet.connection
  - muster.fleet.write
  - muster.fleet.resource
"""

EXAMPLES = r"""
- name: Set a variable for all devices with a label
  muster.fleet.label:
    name: web
    variables:
      monitoring:
        interval: 15
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


def write_label(params, client, change):
    return write_resource("label", params, client, change, lambda dummy: given(params, ("variables",)))


def main():
    spec = dict(resource_spec(), **write_spec())
    spec["name"] = {"type": "str", "required": True}
    spec["new_name"] = {"type": "str"}
    run(spec, write_label)


if __name__ == "__main__":
    main()
