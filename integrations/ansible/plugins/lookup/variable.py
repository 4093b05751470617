# Copyright: The Muster authors
# Apache License 2.0 (see LICENSE or https://www.apache.org/licenses/LICENSE-2.0)

from __future__ import absolute_import, division, print_function

__metaclass__ = type

DOCUMENTATION = r"""
name: variable
short_description: The resolved value of a variable
version_added: 0.1.0
description:
  - Reads the value that a device resolves for a variable, or that a region, a cell or a label has. Values are never evaluated as templates.
author:
  - The Muster authors (@muster)
options:
  _terms:
    description: The keys of variables.
    required: true
  host:
    description: The name of a host. Without a device or a level, it is the host of the play.
    type: str
  network_device:
    description: The name of a network device.
    type: str
  label:
    description: The name of a label.
    type: str
  cell:
    description: The name of a cell.
    type: str
  region:
    description: The name of a region; together with C(cell), that of the cell.
    type: str
  at:
    description:
      - The time of the values, such as C(2026-11-20T14:37:06Z). Without it, they are the present ones.
      - The device is found by its present name.
    type: str
  default:
    description: The value of a variable that is not set, or of a device or level that did not exist at that time. Without it, both are errors.
    type: raw
extends_documentation_fragment:
  - muster.fleet.connection.plugin
"""

EXAMPLES = r"""
- name: Show a variable of the host of the play
  ansible.builtin.debug:
    msg: "{{ lookup('muster.fleet.variable', 'ntp_servers') }}"

- name: Show what another host had at the beginning of the year, or nothing
  ansible.builtin.debug:
    msg: "{{ lookup('muster.fleet.variable', 'kernel', host='db-1', at='2026-01-01', default=none) }}"

- name: Show two variables of a rack
  ansible.builtin.debug:
    msg: "{{ query('muster.fleet.variable', 'power_feed', 'row', region='north', cell='rack-a') }}"
"""

RETURN = r"""
_raw:
  description: The values, one for each key.
  type: list
  elements: raw
"""

from ansible.errors import AnsibleLookupError
from ansible.plugins.lookup import LookupBase
from ansible_collections.muster.fleet.plugins.module_utils.client import MusterError
from ansible_collections.muster.fleet.plugins.plugin_utils.levels import LevelReader
from ansible_collections.muster.fleet.plugins.plugin_utils.values import ValueReader


class LookupModule(LookupBase):
    def run(self, terms, variables=None, **kwargs):
        self.set_options(var_options=variables, direct=kwargs)
        values = ValueReader(self._loader, templates=False)
        try:
            level = LevelReader(self.get_option, variables)
            return [values.read(self._value(level, key, "default" in kwargs)) for key in terms]
        except MusterError as error:
            raise AnsibleLookupError(error.message)

    def _value(self, level, key, has_default):
        try:
            found, value = level.value(key)
        except MusterError as error:
            # The device or level did not exist at that time.
            if not (has_default and error.status == 404):
                raise
            found, value = False, None
        if found:
            return value
        if has_default:
            return self.get_option("default")
        raise MusterError("%s has no variable %s." % (level.name, key))
