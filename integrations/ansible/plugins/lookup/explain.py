# Copyright: The Muster authors
# Apache License 2.0 (see LICENSE or https://www.apache.org/licenses/LICENSE-2.0)

from __future__ import absolute_import, division, print_function

__metaclass__ = type

DOCUMENTATION = r"""
name: explain
short_description: Where the value of a variable comes from
version_added: 0.1.0
description:
  - Shows which levels set a variable of a device or a cell, which of them wins, and who set it, when and why.
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
  cell:
    description: The name of a cell.
    type: str
  region:
    description: The name of the region of C(cell).
    type: str
  at:
    description:
      - The time of the values, such as C(2026-11-20T14:37:06Z). Without it, they are the present ones.
      - The device is found by its present name.
    type: str
extends_documentation_fragment:
  - muster.fleet.connection.plugin
"""

EXAMPLES = r"""
- name: Show who set the kernel of the host of the play
  ansible.builtin.debug:
    msg: >-
      {{ explained.value }} is set on the {{ explained.source.kind }} {{ explained.source.name }}
      by {{ explained.source.set_by }}: {{ explained.source.reason }}
  vars:
    explained: "{{ lookup('muster.fleet.explain', 'kernel') }}"
"""

RETURN = r"""
_raw:
  description:
    - For each key its C(value), its C(source) (the level that wins), and all C(levels) that set it, broadest first.
    - A level has C(kind), C(id), C(name), C(value), C(set_by), C(set_at), C(reason), C(change_id) and C(shadowed). For a key that is
      not set, it is null.
  type: list
  elements: dict
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
            return [values.read(level.explanation(key)) for key in terms]
        except MusterError as error:
            raise AnsibleLookupError(error.message)
