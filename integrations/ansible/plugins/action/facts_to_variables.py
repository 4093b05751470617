# Copyright: The Muster authors
# Apache License 2.0 (see LICENSE or https://www.apache.org/licenses/LICENSE-2.0)

from __future__ import absolute_import, division, print_function

__metaclass__ = type

import json

from ansible.errors import AnsibleActionFail
from ansible.plugins.action import ActionBase
from ansible_collections.muster.fleet.plugins.module_utils.changes import Change
from ansible_collections.muster.fleet.plugins.module_utils.client import COLLECTIONS, MusterError, noun
from ansible_collections.muster.fleet.plugins.module_utils.module import connect, connection_spec, failure, write_spec

MISSING = object()
# How many names a message contains.
MAX_NAMES = 20


class ActionModule(ActionBase):

    # One change for all hosts of the play, instead of one for each.
    BYPASS_HOST_LOOP = True
    TRANSFERS_FILES = False
    _requires_connection = False

    def run(self, tmp=None, task_vars=None):
        result = super(ActionModule, self).run(tmp, task_vars)
        spec = dict(connection_spec(), **write_spec())
        spec["facts"] = {"type": "dict", "required": True}
        spec["kind"] = {"type": "str", "choices": ["host", "network_device"], "default": "host"}
        spec["unknown_hosts"] = {"type": "str", "choices": ["fail", "ignore"], "default": "fail"}
        dummy, options = self.validate_argument_spec(spec)
        try:
            client = connect(options)
            change = Change(client, self._task.check_mode, self._task.diff, options)
            result.update(save_facts(client, change, options, task_vars))
        except MusterError as error:
            result.update(failure(error), failed=True)
        return result


def save_facts(client, change, options, task_vars):
    """Returns the results of the module."""
    facts, missing_facts = read_facts(options["facts"], task_vars)
    ids = device_ids(client, options["kind"], facts)
    unknown = sorted(set(facts) - set(ids))
    if unknown and options["unknown_hosts"] == "fail":
        raise MusterError(
            "%d hosts of the play are not %ss of Muster: %s." % (len(unknown), noun(options["kind"]), names(unknown))
        )
    lines = [
        {
            "kind": options["kind"].replace("_", "-"),
            "name": name,
            # The line is rejected if the name belongs to another device meanwhile.
            "if_id": ids[name],
            "variables": variables,
        }
        for name, variables in sorted(facts.items())
        if name in ids and variables
    ]
    results = {"changed": False, "change_id": None, "updated": 0, "unchanged": 0}
    if lines:
        body = "".join(json.dumps(line) + "\n" for line in lines).encode("utf-8")
        operation = {"method": "POST", "path": "/v1/import", "body": lines}
        results.update(change.send("/v1/import", body, "application/x-ndjson", [operation]))
        results.pop("created", None)
    results.update(hosts=len(lines), missing_facts=missing_facts, unknown_hosts=unknown)
    return results


def read_facts(paths, task_vars):
    """Returns the variables of each host of the play, and the hosts without a fact, by the key of its variable."""
    variables, missing = {}, {}
    hostvars = task_vars["hostvars"]
    for name in task_vars["ansible_play_hosts"]:
        host = hostvars[name]
        variables[name] = {}
        for key, path in paths.items():
            value = find(host.get("ansible_facts", {}), path)
            if value is MISSING:
                value = find(host, path)
            if value is MISSING:
                missing.setdefault(key, []).append(name)
            else:
                variables[name][key] = value
    return variables, missing


def find(value, path):
    """The value at a path with dots, or MISSING."""
    if not isinstance(path, str):
        raise AnsibleActionFail("Each of the facts has to be a path, but one is %r" % (path,))
    for part in path.split("."):
        try:
            value = value[int(part)] if isinstance(value, (list, tuple)) else value[part]
        except (KeyError, IndexError, ValueError, TypeError):
            return MISSING
    return value


def device_ids(client, kind, wanted):
    """The ids of the devices with these names, by name."""
    path = "/v1/" + COLLECTIONS[kind]
    query = [("fields", "id,name"), ("project_id", client.project_id())]
    if len(wanted) == 1:
        query += [("name", name) for name in wanted]
    return {device["name"]: device["id"] for device in client.pages(path, query, 10000) if device["name"] in wanted}


def names(of):
    listed = ", ".join(of[:MAX_NAMES])
    return listed if len(of) <= MAX_NAMES else "%s and %d more" % (listed, len(of) - MAX_NAMES)
