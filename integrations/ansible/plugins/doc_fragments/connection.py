# Copyright: The Muster authors
# Apache License 2.0 (see LICENSE or https://www.apache.org/licenses/LICENSE-2.0)

from __future__ import absolute_import, division, print_function

__metaclass__ = type


class ModuleDocFragment(object):

    # The options of modules.
    DOCUMENTATION = r"""
options:
  url:
    description:
      - The address of Muster, such as C(https://muster.example.org).
      - The environment variable C(MUSTER_URL) is used if it is not set.
    type: str
    required: true
  token:
    description:
      - The API key. It is never shown.
      - The environment variable C(MUSTER_TOKEN) is used if it is not set.
    type: str
  token_file:
    description:
      - A file on the machine that runs the plugin with the API key, if C(token) is not set.
      - The environment variable C(MUSTER_TOKEN_FILE) is used if it is not set.
    type: path
  user:
    description:
      - The name of the user of the API key. Only needed together with C(project).
      - The environment variable C(MUSTER_USER) is used if it is not set.
    type: str
  project:
    description:
      - The id of the project. Only root users need it, to choose a project other than their own.
      - The environment variable C(MUSTER_PROJECT) is used if it is not set.
    type: str
  validate_certs:
    description: Whether the certificate of Muster is checked.
    type: bool
    default: true
  ca_path:
    description: A file with the certificates of authorities, instead of those of the system.
    type: path
  timeout:
    description: The time in seconds in which Muster has to respond.
    type: int
    default: 60
"""

    # The options of inventories and lookups, which Ansible itself reads from the environment and from variables.
    PLUGIN = r"""
options:
  url:
    description:
      - The address of Muster, such as C(https://muster.example.org).
    type: str
    env:
      - name: MUSTER_URL
    vars:
      - name: muster_url
    required: true
  token:
    description:
      - The API key. It is never shown.
    type: str
    env:
      - name: MUSTER_TOKEN
    vars:
      - name: muster_token
  token_file:
    description:
      - A file on the machine that runs the plugin with the API key, if C(token) is not set.
    type: path
    env:
      - name: MUSTER_TOKEN_FILE
    vars:
      - name: muster_token_file
  user:
    description:
      - The name of the user of the API key. Only needed together with C(project).
    type: str
    env:
      - name: MUSTER_USER
    vars:
      - name: muster_user
  project:
    description:
      - The id of the project. Only root users need it, to choose a project other than their own.
    type: str
    env:
      - name: MUSTER_PROJECT
    vars:
      - name: muster_project
  validate_certs:
    description: Whether the certificate of Muster is checked.
    type: bool
    vars:
      - name: muster_validate_certs
    default: true
  ca_path:
    description: A file with the certificates of authorities, instead of those of the system.
    type: path
    vars:
      - name: muster_ca_path
  timeout:
    description: The time in seconds in which Muster has to respond.
    type: int
    vars:
      - name: muster_timeout
    default: 60
"""
