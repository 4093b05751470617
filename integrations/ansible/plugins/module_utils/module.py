# Copyright: The Muster authors
# Apache License 2.0 (see LICENSE or https://www.apache.org/licenses/LICENSE-2.0)
"""What the modules of this collection have in common."""

from __future__ import absolute_import, division, print_function

__metaclass__ = type

from ansible.module_utils.basic import AnsibleModule, env_fallback

from ansible_collections.muster.fleet.plugins.module_utils.changes import Change, without_nulls
from ansible_collections.muster.fleet.plugins.module_utils.client import COLLECTIONS, Client, MusterError, read_token


def connection_spec():
    """The options of a connection: see the documentation fragment ``connection``."""
    return {
        "url": {"type": "str", "required": True, "fallback": (env_fallback, ["MUSTER_URL"])},
        "token": {"type": "str", "no_log": True, "fallback": (env_fallback, ["MUSTER_TOKEN"])},
        "token_file": {"type": "path", "no_log": False, "fallback": (env_fallback, ["MUSTER_TOKEN_FILE"])},
        "user": {"type": "str", "fallback": (env_fallback, ["MUSTER_USER"])},
        "project": {"type": "str", "fallback": (env_fallback, ["MUSTER_PROJECT"])},
        "validate_certs": {"type": "bool", "default": True},
        "ca_path": {"type": "path"},
        "timeout": {"type": "int", "default": 60},
    }


def write_spec():
    """The options of a write: see the documentation fragment ``write``."""
    return {
        "reason": {"type": "str"},
        "override": {"type": "str"},
        "propose": {"type": "str"},
    }


def resource_spec():
    """The options of one resource with variables: see the documentation fragment ``resource``."""
    return {
        "state": {"type": "str", "choices": ["present", "absent"], "default": "present"},
        "variables": {"type": "dict"},
        "if_match": {"type": "str"},
    }


def device_spec():
    """The options of a device: see the documentation fragment ``device``."""
    return {
        "name": {"type": "str", "required": True},
        "new_name": {"type": "str"},
        "region": {"type": "str"},
        "cell": {"type": "str"},
        "parent": {"type": "str"},
        "parent_kind": {"type": "str", "choices": ["host", "network_device"], "default": "network_device"},
        "ip_address": {"type": "str"},
        "device_type": {"type": "str"},
        "active": {"type": "bool"},
        "note": {"type": "str"},
        "labels": {"type": "list", "elements": "str"},
        "add_labels": {"type": "list", "elements": "str"},
        "remove_labels": {"type": "list", "elements": "str"},
    }


def connect(options):
    """Opens a connection with the options of a module or a plugin."""
    return Client(
        options["url"],
        read_token(options.get("token"), options.get("token_file")),
        user=options.get("user"),
        project=options.get("project"),
        validate_certs=options["validate_certs"],
        ca_path=options.get("ca_path"),
        timeout=options["timeout"],
    )


def run(argument_spec, main, **constraints):
    """
    Runs a module.

    ``main`` gets the parameters, the client and the change, and returns the results.
    """
    module = AnsibleModule(
        argument_spec=dict(connection_spec(), **argument_spec), supports_check_mode=True, **constraints
    )
    try:
        client = connect(module.params)
        # The attribute _diff is how every module learns that it runs with --diff.
        change = Change(client, module.check_mode, module._diff, module.params)
        results = main(module.params, client, change)
    except MusterError as error:
        module.fail_json(**failure(error))
    module.exit_json(**results)


def failure(error):
    """The results of a failed module."""
    results = {"msg": error.message}
    if error.status is not None:
        results.update(status=error.status, code=error.code, details=error.details, request_id=error.request_id)
    return results


def entity_tag(tag):
    """An entity tag from a version or a tag."""
    if tag is None or tag == "*" or '"' in str(tag):
        return tag
    return '"%s"' % tag


def operation(method, path, body=None, if_match=None, name=None):
    """An operation of a batch."""
    members = {"id": name, "method": method, "path": path, "body": body, "if_match": entity_tag(if_match)}
    return without_nulls(members)


def operation_spec():
    """The option of the operations of a batch."""
    return {
        "type": "list",
        "elements": "dict",
        "options": {
            "id": {"type": "str"},
            "method": {"type": "str", "choices": ["POST", "PUT", "DELETE"], "required": True},
            "path": {"type": "str", "required": True},
            "body": {"type": "raw"},
            "if_match": {"type": "str"},
            "if_none_match": {"type": "str"},
        },
    }


def batch_operations(given_operations):
    """The operations of a batch from those of an option, or of a proposal."""
    operations = [without_nulls(one) for one in given_operations]
    for one in operations:
        # A body that is only variables can have any keys.
        if "body" in one and not one["path"].split("?")[0].endswith("/variables"):
            one["body"] = with_ids(one["body"])
        if "if_match" in one:
            one["if_match"] = entity_tag(one["if_match"])
    return operations


def with_ids(body):
    """A body in which ids that are texts of digits are numbers."""
    if isinstance(body, list):
        return [with_ids(item) for item in body]
    if not isinstance(body, dict):
        return body
    return {
        name: int(value) if name.endswith("_id") and isinstance(value, str) and value.isdigit() else value
        for name, value in body.items()
    }


def given(params, names):
    """The parameters that have a value."""
    return {name: params[name] for name in names if params[name] is not None}


def parent_id(client, params):
    """The id of a region or of a device that ``parent`` names."""
    return client.find_id(params["parent_kind"], params["parent"])


def write_resource(kind, params, client, change, members, region_id=None):
    """
    Creates, updates or deletes one resource.

    ``members`` returns the members that a create and an update have, with the ids of what they refer to.
    """
    path = "/v1/" + COLLECTIONS[kind]
    name = params["name"]
    found = client.find(kind, name, region_id)
    if params["state"] == "absent":
        if found is None:
            return {"changed": False, "change_id": None, "resource": None}
        results = change.write([operation("DELETE", "%s/%d" % (path, found["id"]), if_match=params["if_match"])])
        results["resource"] = None
        results.pop("results", None)
        return results
    new_name = params.get("new_name")
    if found is None and new_name and client.find(kind, new_name, region_id) is not None:
        # It has been renamed by an earlier run.
        name = new_name
        found = client.find(kind, new_name, region_id)
    body = members(found is None)
    name_member = "label" if kind == "label" else "name"
    if found is None:
        if params["if_match"] is not None:
            raise MusterError("There is no %s %s, so that if_match does not hold." % (kind.replace("_", " "), name))
        operations = [operation("POST", path, dict(body, **{name_member: new_name or name}), name="new")]
        one = "%s/{new.id}" % path
    else:
        one = "%s/%d" % (path, found["id"])
        if new_name:
            body[name_member] = new_name
        operations = [operation("PUT", one, body, if_match=params["if_match"])]
    if params.get("add_labels"):
        operations.append(operation("PUT", one + "/labels", {"labels": params["add_labels"]}))
    if params.get("remove_labels"):
        operations.append(operation("DELETE", one + "/labels", {"labels": params["remove_labels"]}))
    results = change.write(operations)
    if "results" in results:
        resource = results.pop("results")[0]["body"]
        if len(operations) > 1:
            # The other operations have changed its labels.
            resource = client.get("%s/%d" % (path, resource["id"]), [("resolved-values", "false")])
        # They can be long, and the lookup muster.fleet.variable reads those that a play needs.
        resource.pop("variables", None)
        results["resource"] = resource
    return results


def write_device(kind, params, client, change, own_members=()):
    """Creates, updates or deletes one device."""

    def members(is_new):
        body = given(params, ("ip_address", "device_type", "active", "note", "labels", "variables") + tuple(own_members))
        region_id = None
        if params["region"] is not None:
            region_id = body["region_id"] = client.find_id("region", params["region"])
        if params["cell"] == "":
            body["cell_id"] = None
        elif params["cell"] is not None:
            body["cell_id"] = client.find_id("cell", params["cell"], region_id)
        if params["parent"] == "":
            body["parent_id"] = None
        elif params["parent"] is not None:
            body["parent_id"] = parent_id(client, params)
        if is_new:
            missing = [name for name in ("region", "ip_address", "device_type") if params[name] is None]
            if missing:
                raise MusterError(
                    "There is no %s %s, and a new one needs %s."
                    % (kind.replace("_", " "), params["name"], ", ".join(missing))
                )
        return body

    return write_resource(kind, params, client, change, members)
