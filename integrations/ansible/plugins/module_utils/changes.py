# Copyright: The Muster authors
# Apache License 2.0 (see LICENSE or https://www.apache.org/licenses/LICENSE-2.0)
"""One change of Muster: its preview, the write, and what a module returns about both."""

from __future__ import absolute_import, division, print_function

__metaclass__ = type

import json
import uuid

from ansible_collections.muster.fleet.plugins.module_utils.client import MusterError

# How many devices a preview reads.
MAX_PREVIEWED_DEVICES = 1000
# How many devices of a group a diff names.
MAX_NAMED_DEVICES = 10
# How many groups of devices a diff shows.
MAX_GROUPS = 100
# The states of a proposal that can still be applied or amended.
OPEN_STATES = ("open", "approved", "rejected")
# Those in which it waits for being approved or applied.
WAITING_STATES = ("open", "approved")
# Members that differ after every write.
_ALWAYS_DIFFERENT = ("updated_at", "version")


class Change:
    """
    Writes operations as one batch, or previews them in check mode.

    A preview is a dry run, so that it has the checks and the errors of the write.
    """

    def __init__(self, client, check_mode, diff_mode, options):
        self.client = client
        self.check_mode = check_mode
        self.diff_mode = diff_mode
        self.options = options

    def write(self, operations):
        """Returns the results of a module for operations of a batch."""
        if not operations:
            return {"changed": False, "change_id": None, "results": []}
        try:
            return self.send("/v1/batch", {"operations": operations}, "application/json", operations)
        except MusterError as error:
            if len(operations) == 1:
                raise without_position(error)
            raise

    def send(self, path, body, content_type, operations):
        """
        Returns the results of a module for a write that has dry runs.

        ``operations`` are those of its proposal.
        """
        results = {"changed": False, "change_id": None}
        title = self.options.get("propose")
        propose = [("propose", title)] if title else []
        if self.check_mode or self.diff_mode or title:
            preview = self._request(
                path, body, content_type, propose + [("dry_run", "true"), ("limit", MAX_PREVIEWED_DEVICES)]
            )
            results.update(preview_results(preview))
            if self.diff_mode:
                results["diff"] = diff_of(preview)
            if title and results["changed"]:
                proposal = self._proposed(title, operations)
                if proposal:
                    # It is not made again.
                    results.update(changed=False, proposal=proposal)
            if self.check_mode or (title and not results["changed"]):
                return results
        if title:
            results["proposal"] = self._request(path, body, content_type, propose)
            return results
        request_id = "ansible-%s" % uuid.uuid4()
        answer = self._request(path, body, content_type, [], request_id)
        results.update(answer_results(answer))
        if results["changed"] and "change_id" not in answer:
            # An import does not say which change it is.
            found = self.client.get("/v1/changes", [("request_id", request_id), ("limit", 1), ("fields", "id")])
            results["change_id"] = found[0]["id"] if found else None
        return results

    def _proposed(self, title, operations):
        """The user's waiting proposal with this title and these operations; None if there is none."""
        for proposal in open_proposals(self.client, title, WAITING_STATES):
            if [without_nulls(one) for one in proposal["operations"]] == operations:
                return proposal
        return None

    def _request(self, path, body, content_type, query, request_id=None):
        headers = {
            "X-Request-Id": request_id,
            "X-Change-Reason": self.options.get("reason"),
            "X-Change-Override": self.options.get("override"),
        }
        return self.client.request("POST", path, query, body, headers, content_type)


def open_proposals(client, title, states=OPEN_STATES):
    """Yields the open proposals of the user with a title."""
    query = [("author", "me")] + [("state", state) for state in states]
    for found in client.pages("/v1/proposals", query, 100):
        if found["title"] == title:
            yield client.get("/v1/proposals/%d" % found["id"])


def without_nulls(members):
    return {name: value for name, value in members.items() if value is not None}


def without_position(error):
    """The error of the only operation of a batch, as if it had been sent alone."""
    details = [dict(detail, field=detail["field"].replace("operations[0].", "", 1)) for detail in error.details]
    message = error.message.replace("operations[0]: ", "", 1)
    return MusterError(message, error.status, error.code, details, error.request_id)


def answer_results(answer):
    """What a module returns about a write."""
    results = {name: answer[name] for name in ("results", "created", "updated", "unchanged") if name in answer}
    if "change_id" in answer:
        results["change_id"] = answer["change_id"]
        results["changed"] = answer["change_id"] is not None
    else:
        results["changed"] = answer["created"] + answer["updated"] > 0
    return results


def preview_results(preview):
    """What a module returns about a dry run. Raises an error if the reason is rejected, as the write does."""
    rejected = preview.get("reason_rejected")
    if rejected:
        raise MusterError("X-Change-Reason: %s" % rejected["message"], 400, "invalid_request")
    impact = preview["impact"]
    results = {"impact": {"devices": impact["devices"], "keys": impact["keys"]}}
    if preview.get("approval_required"):
        results["approval_required"] = preview["approval_required"]
    if "change" in preview:
        results["changed"] = preview["change"]["objects_total"] > 0
    else:
        results["changed"] = preview["created"] + preview["updated"] > 0
    return results


def diff_of(preview):
    """The preview as two texts: resources with their changes, and then the affected devices in groups."""
    before, after = [], []
    for obj in preview.get("change", {}).get("objects", []):
        name = "%s %s" % (obj["kind"], obj["name"])
        if obj["before"] is not None:
            before.append(name)
        if obj["after"] is not None:
            after.append(name)
        for member, old, new in _member_changes(obj):
            if old is not None:
                before.append("  %s: %s" % (member, old))
            if new is not None:
                after.append("  %s: %s" % (member, new))
    for line, key, change in _groups(preview["impact"]):
        before.append(line)
        after.append(line)
        if "before" in change:
            before.append("  %s: %s" % (key, _text(change["before"])))
        if "after" in change:
            after.append("  %s: %s" % (key, _text(change["after"])))
    return {"before": "".join(line + "\n" for line in before), "after": "".join(line + "\n" for line in after)}


def _member_changes(obj):
    before, after = obj["before"] or {}, obj["after"] or {}
    for member in sorted(set(before) | set(after)):
        if member in _ALWAYS_DIFFERENT or before.get(member) == after.get(member):
            continue
        yield (
            member,
            _text(before[member]) if member in before else None,
            _text(after[member]) if member in after else None,
        )
    for key, change in sorted((obj.get("variables") or {}).items()):
        yield (
            "variables.%s" % key,
            _text(change["before"]) if "before" in change else None,
            _text(change["after"]) if "after" in change else None,
        )


def _groups(impact):
    """The devices of an impact, in groups for which a variable changes in the same way, those of most devices first."""
    groups = {}
    for item in impact["items"]:
        for key, change in item["changes"].items():
            group = groups.setdefault((key, _text(change)), (key, change, []))
            group[2].append(item["name"])
    largest = sorted(groups.values(), key=lambda group: (-len(group[2]), group[0]))
    for key, change, names in largest[:MAX_GROUPS]:
        yield _names(names), key, change
    if len(largest) > MAX_GROUPS:
        yield "%d more values of variables" % (len(largest) - MAX_GROUPS), None, {}
    missing = impact["devices"] - len(impact["items"])
    if missing > 0:
        yield "%d more devices" % missing, None, {}


def _names(names):
    listed = ", ".join(names[:MAX_NAMED_DEVICES])
    if len(names) > MAX_NAMED_DEVICES:
        listed += " and %d more" % (len(names) - MAX_NAMED_DEVICES)
    return "%d %s: %s" % (len(names), "device" if len(names) == 1 else "devices", listed)


def _text(value):
    return json.dumps(value, sort_keys=True, ensure_ascii=False)
