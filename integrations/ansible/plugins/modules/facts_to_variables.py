#!/usr/bin/python
# Copyright: The Muster authors
# Apache License 2.0 (see LICENSE or https://www.apache.org/licenses/LICENSE-2.0)

from __future__ import absolute_import, division, print_function

__metaclass__ = type

DOCUMENTATION = r"""
module: facts_to_variables
short_description: Save facts of all hosts of a play as variables
version_added: 0.1.0
description:
  - Sets facts of the hosts of the play as variables of these hosts in Muster, in one change for all of them.
  - It runs once for all hosts of the play, on the controller. Hosts that failed or were unreachable before are left out.
  - The hosts of the play are found in Muster by their inventory names.
author:
  - The Muster authors (@muster)
options:
  facts:
    description:
      - The facts, by the key of the variable. A fact is a path with dots into the facts of the host, without C(ansible_), such as
        C(distribution_version) or C(default_ipv4.address); or else into its variables, such as those that C(register) sets.
      - A host that does not have a fact keeps its variable.
    type: dict
    required: true
  kind:
    description: The kind of device that the hosts of the play are.
    type: str
    choices: [host, network_device]
    default: host
  unknown_hosts:
    description: What to do about hosts of the play that are not in Muster.
    type: str
    choices: [fail, ignore]
    default: fail
extends_documentation_fragment:
  - muster.fleet.connection
  - muster.fleet.write
"""

EXAMPLES = r"""
- name: Record what runs on all hosts
  hosts: all
  gather_facts: true
  tasks:
    - name: Save facts as variables
      muster.fleet.facts_to_variables:
        facts:
          kernel: kernel
          distribution: distribution_version
          memory_mb: memtotal_mb
        reason: nightly facts
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
hosts:
  description: How many hosts of the play are in Muster and have one of the facts.
  returned: success
  type: int
updated:
  description: How many hosts have changed.
  returned: success
  type: int
unchanged:
  description: How many hosts already had these variables.
  returned: success
  type: int
missing_facts:
  description: The hosts that do not have a fact, by the key of its variable.
  returned: success
  type: dict
unknown_hosts:
  description: The hosts of the play that are not in Muster.
  returned: success
  type: list
  elements: str
"""

# The action plugin of the same name does the work: only actions see the facts of all hosts of a play.
