# Copyright: The Muster authors
# Apache License 2.0 (see LICENSE or https://www.apache.org/licenses/LICENSE-2.0)

from __future__ import absolute_import, division, print_function

__metaclass__ = type


class ModuleDocFragment(object):

    # The options of modules for one resource.
    DOCUMENTATION = r"""
options:
  state:
    description: Whether the resource exists.
    type: str
    choices: [present, absent]
    default: present
  variables:
    description:
      - Variables of the resource itself. They are merged into those that it has. Use M(muster.fleet.variables) to remove variables.
    type: dict
  if_match:
    description:
      - The version, or an entity tag, that the resource must have. Otherwise nothing is written, and the module fails.
    type: str
"""
