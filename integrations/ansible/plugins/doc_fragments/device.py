# Copyright: The Muster authors
# Apache License 2.0 (see LICENSE or https://www.apache.org/licenses/LICENSE-2.0)

from __future__ import absolute_import, division, print_function

__metaclass__ = type


class ModuleDocFragment(object):

    # The options that all kinds of devices have.
    DOCUMENTATION = r"""
options:
  name:
    description: The name of the device.
    type: str
    required: true
  new_name:
    description: A new name for the device. If there is no device called C(name), but one with this name, it has been renamed already.
    type: str
  region:
    description: The name of its region. Required for a new device.
    type: str
  cell:
    description: The name of its cell, in C(region) if that is set. An empty text removes the device from its cell.
    type: str
  parent:
    description: The name of its parent device. An empty text removes the parent.
    type: str
  parent_kind:
    description: The kind of the parent device.
    type: str
    choices: [host, network_device]
    default: network_device
  ip_address:
    description: The IP address. Required for a new device.
    type: str
  device_type:
    description: The type, which can be any text. Required for a new device.
    type: str
  active:
    description: Whether the device is active. Inventories contain only active devices by default.
    type: bool
  note:
    description: A text about the device. It is also the reason of the change if C(reason) is not set.
    type: str
  labels:
    description: All labels of the device. It loses others.
    type: list
    elements: str
  add_labels:
    description: Labels to add to those of the device.
    type: list
    elements: str
  remove_labels:
    description: Labels to remove from the device.
    type: list
    elements: str
"""
