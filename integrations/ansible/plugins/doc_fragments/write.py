# Copyright: The Muster authors
# Apache License 2.0 (see LICENSE or https://www.apache.org/licenses/LICENSE-2.0)

from __future__ import absolute_import, division, print_function

__metaclass__ = type


class ModuleDocFragment(object):

    # The options of modules that write, except those of the connection.
    DOCUMENTATION = r"""
options:
  reason:
    description:
      - The reason of the change, which its record shows. A project can require one.
    type: str
  override:
    description:
      - Why this change is made without the approvals that the project requires. Only admins can do that.
    type: str
  propose:
    description:
      - The title of a proposal. Then nothing is changed, and the change is proposed under this title.
      - An open proposal of the same user with this title and the same operations is that proposal, so that a play can be run again.
      - C(changed) is true if a new proposal is made. If the change would change nothing, there is no proposal.
    type: str
notes:
  - In check mode, Muster does a dry run, with the checks and the errors of the write.
  - With C(--diff), the module shows the resources that change, and the affected devices in groups for which a variable changes in the
    same way. It asks for a dry run before the write to know them, and shows at most 1,000 devices.
  - The module runs on the machine that the task runs on, which needs to reach Muster. Delegate tasks of plays for other
    hosts to C(localhost), so that the API key stays on the controller.
"""
