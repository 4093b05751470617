#!/usr/bin/python
# Copyright: The Muster authors
# Apache License 2.0 (see LICENSE or https://www.apache.org/licenses/LICENSE-2.0)

from __future__ import absolute_import, division, print_function

__metaclass__ = type

DOCUMENTATION = r"""
module: proposal
short_description: Propose a change, wait for its approval, and apply it
version_added: 0.1.0
description:
  - Proposes operations under a title, waits until enough users have approved them, applies them in one change, or withdraws them.
  - An open proposal of the same user with the same title is the same proposal. If its operations differ, it gets a new revision, which
    has to be approved again.
author:
  - The Muster authors (@muster)
options:
  id:
    description: The id of a proposal that exists, such as that of the option C(propose) of other modules.
    type: int
  title:
    description: The title. Together with C(operations).
    type: str
  description:
    description: A text that explains the proposal to its reviewers.
    type: str
  operations:
    description: The operations, as those of M(muster.fleet.batch). If they would change nothing, nothing is proposed.
  reason:
    description: The reason of the change, which its record shows. A project can require one.
    type: str
  state:
    description:
      - With C(proposed), the proposal exists.
      - With C(approved), the module waits for the approvals that it needs.
      - With C(applied), it waits for them, and then applies the proposal.
      - With C(withdrawn), the proposal is withdrawn.
    type: str
    choices: [proposed, approved, applied, withdrawn]
    default: proposed
  wait:
    description: For how many seconds the module waits for approvals. After that, it fails.
    type: int
    default: 0
extends_documentation_fragment:
  - muster.fleet.connection
  - muster.fleet.operations
notes:
  - In check mode, Muster does a dry run of new operations. An existing proposal is read, and nothing waits.
"""

EXAMPLES = r"""
- name: Propose, wait for up to an hour, and apply
  muster.fleet.proposal:
    title: Feed B for rack 9
    operations:
      - method: PUT
        path: /v1/cells/3/variables
        body:
          power_feed: B
    reason: "CHG-1044: feed B"
    state: applied
    wait: 3600

- name: Propose what another module would do
  muster.fleet.variables:
    region: north
    variables:
      ntp_servers: [10.1.0.2]
    propose: A new NTP server
  register: change

- name: Apply it when it is approved
  muster.fleet.proposal:
    id: "{{ change.proposal.id }}"
    state: applied
    wait: 3600
  when: change.proposal is defined
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
  returned: for new operations
  type: dict
  sample: {devices: 3, keys: [ntp_servers]}
proposal:
  description: The proposal, or null if there is none.
  returned: success
  type: dict
"""

import time

from ansible_collections.muster.fleet.plugins.module_utils.changes import (
    OPEN_STATES,
    open_proposals,
    preview_results,
)
from ansible_collections.muster.fleet.plugins.module_utils.client import MusterError
from ansible_collections.muster.fleet.plugins.module_utils.module import batch_operations, operation_spec, run

# How often the module asks whether a proposal is approved, in seconds.
POLL_SECONDS = 5


class Proposal:
    """The proposal that the parameters of the module describe."""

    def __init__(self, params, client, check_mode):
        self.params = params
        self.client = client
        self.check_mode = check_mode
        self.results = {"changed": False, "change_id": None, "proposal": None}

    def find(self):
        """Returns the proposal with the id or the title; None if there is none that is open."""
        if self.params["id"] is not None:
            return self.client.get("/v1/proposals/%d" % self.params["id"])
        return next(open_proposals(self.client, self.params["title"]), None)

    def propose(self, proposal):
        """Returns a proposal with the operations; None if they would change nothing."""
        if self.params["operations"] is None:
            return proposal
        operations = batch_operations(self.params["operations"])
        members = {"operations": operations}
        for name in ("description", "reason"):
            if self.params[name] is not None:
                members[name] = self.params[name]
        if proposal is not None:
            present = dict(proposal, operations=batch_operations(proposal["operations"]))
            members = {name: value for name, value in members.items() if present[name] != value}
            if not members:
                return proposal
            self.results["changed"] = True
            return proposal if self.check_mode else self.update(proposal, members)
        query = [("propose", self.params["title"])]
        preview = self.request("POST", "/v1/batch", {"operations": operations}, query + [("dry_run", "true")])
        self.results.update(preview_results(preview))
        if self.check_mode or not self.results["changed"]:
            return None
        proposal = self.request("POST", "/v1/batch", {"operations": operations}, query)
        if self.params["description"] is None:
            return proposal
        return self.update(proposal, {"description": self.params["description"]})

    def update(self, proposal, members):
        return self.request("PUT", "/v1/proposals/%d" % proposal["id"], members)

    def wait(self, proposal):
        """Waits until the proposal is approved or applied. Returns it as it is then."""
        deadline = time.monotonic() + self.params["wait"]
        while proposal["state"] not in ("approved", "applied"):
            if proposal["state"] != "open":
                raise MusterError("The proposal %d is %s." % (proposal["id"], proposal["state"]))
            rest = deadline - time.monotonic()
            if rest <= 0:
                approvals = proposal["approvals"]
                raise MusterError(
                    "The proposal %d has %d of %d approvals after %d seconds."
                    % (proposal["id"], approvals["given"], approvals["required"], self.params["wait"])
                )
            time.sleep(min(POLL_SECONDS, rest))
            proposal = self.client.get("/v1/proposals/%d" % proposal["id"])
        return proposal

    def apply(self, proposal):
        if proposal["state"] != "applied":
            applied = self.request("POST", "/v1/proposals/%d/apply" % proposal["id"])
            self.results.update(changed=True, change_id=applied["change_id"])
            proposal = self.client.get("/v1/proposals/%d" % proposal["id"])
        return proposal

    def withdraw(self, proposal):
        if proposal["state"] not in OPEN_STATES:
            return proposal
        self.results["changed"] = True
        if self.check_mode:
            return proposal
        return self.request("POST", "/v1/proposals/%d/withdraw" % proposal["id"])

    def request(self, method, path, body=None, query=()):
        return self.client.request(method, path, query, body, {"X-Change-Reason": self.params["reason"]})


def write_proposal(params, client, change):
    one = Proposal(params, client, change.check_mode)
    proposal = one.find()
    state = params["state"]
    if state == "withdrawn":
        proposal = proposal and one.withdraw(proposal)
    else:
        proposal = one.propose(proposal)
        if proposal and not change.check_mode and state in ("approved", "applied"):
            proposal = one.wait(proposal)
            if state == "applied":
                proposal = one.apply(proposal)
    one.results["proposal"] = proposal
    return one.results


def main():
    run(
        {
            "id": {"type": "int"},
            "title": {"type": "str"},
            "description": {"type": "str"},
            "operations": operation_spec(),
            "reason": {"type": "str"},
            "state": {
                "type": "str",
                "choices": ["proposed", "approved", "applied", "withdrawn"],
                "default": "proposed",
            },
            "wait": {"type": "int", "default": 0},
        },
        write_proposal,
        required_one_of=[("id", "title")],
        mutually_exclusive=[("id", "title")],
    )


if __name__ == "__main__":
    main()
