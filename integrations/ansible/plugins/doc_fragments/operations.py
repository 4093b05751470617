# Copyright: The Muster authors
# Apache License 2.0 (see LICENSE or https://www.apache.org/licenses/LICENSE-2.0)

from __future__ import absolute_import, division, print_function

__metaclass__ = type


class ModuleDocFragment(object):

    # The operations of a batch, without their description.
    DOCUMENTATION = r"""
options:
  operations:
    type: list
    elements: dict
    suboptions:
      id:
        description:
          - A name for the operation. Later ones can use the id of the resource that it creates, as C({rack.id}) in paths, and as a
            dictionary with C($ref) in bodies.
        type: str
      method:
        description: The method.
        type: str
        choices: [POST, PUT, DELETE]
        required: true
      path:
        description: The path with its query, such as C(/v1/hosts/7).
        type: str
        required: true
      body:
        description: The body. Ids in it can be texts of digits, because templates have such results in older versions of Ansible.
        type: raw
      if_match:
        description: The version, or an entity tag, that the resource must have.
        type: str
      if_none_match:
        description: With C(*), the variable of the path must not be set.
        type: str
"""
