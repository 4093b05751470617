# Copyright: The Muster authors
# Apache License 2.0 (see LICENSE or https://www.apache.org/licenses/LICENSE-2.0)

from __future__ import absolute_import, division, print_function

__metaclass__ = type

DOCUMENTATION = r"""
name: inventory
short_description: Devices of Muster with their resolved variables
version_added: 0.1.0
description:
  - Reads devices with their resolved variables from Muster, in groups by region, cell and label.
  - It reads a file whose name ends with C(muster.yml) or C(muster.yaml).
  - The inventory is one consistent state. Devices have C(ansible_host), their address, unless a variable of that name is set.
  - In C(compose), C(groups) and C(keyed_groups), C(muster) has the members of the device, C(id), C(kind), C(region), C(cell),
    C(labels), C(ip_address), C(device_type) and C(active), in addition to all variables.
author:
  - The Muster authors (@muster)
options:
  plugin:
    description: C(muster.fleet.inventory).
    type: str
    required: true
    choices: [muster.fleet.inventory]
  kind:
    description: The kinds of devices.
    type: list
    elements: str
    choices: [host, network-device]
    default: [host]
  region:
    description: Only devices in one of these regions.
    type: list
    elements: str
    default: []
  cell:
    description: Only devices in one of the cells with these names, in any of the regions.
    type: list
    elements: str
    default: []
  label:
    description: Only devices that have all these labels.
    type: list
    elements: str
    default: []
  device_type:
    description: Only devices of one of these types.
    type: list
    elements: str
    default: []
  vars:
    description: Only devices that resolve all these values, each as C(ntp_servers:"10.1.0.1").
    type: list
    elements: str
    default: []
  where:
    description: Only devices whose variables meet all these conditions, each as C(kernel < "6.12").
    type: list
    elements: str
    default: []
  inactive:
    description: Whether the inventory has inactive devices, too.
    type: bool
    default: false
  at:
    description:
      - The time of the inventory, such as C(2026-11-20T14:37:06Z). Without it, it is the present one.
      - All filters apply to that time. Labels have the names that they had then; regions and cells are found by their present names.
    # A time without quotes is one in YAML.
    type: raw
    env:
      - name: MUSTER_AT
  templates:
    description:
      - Whether Ansible evaluates templates in variables, as in any inventory. Then whoever can write the variables of a device can run
        programs on the machine that runs Ansible. With C(false), the variables are plain texts.
    type: bool
    default: true
extends_documentation_fragment:
  - muster.fleet.connection.plugin
  - constructed
  - inventory_cache
"""

EXAMPLES = r"""
# muster.yml, with the address in MUSTER_URL and the API key in MUSTER_TOKEN: all active hosts
plugin: muster.fleet.inventory

---
# All devices of a region, with the key in a file, and groups by a variable and by the type of device
plugin: muster.fleet.inventory
url: https://muster.example.org
token_file: ~/.config/muster/ansible.key
kind: [host, network-device]
region: [north]
where:
  - kernel < "6.12"
keyed_groups:
  - key: rack_row
    prefix: row
  - key: muster.device_type
    prefix: type
groups:
  without_ntp: ntp_servers is not defined
compose:
  ansible_user: "'root' if muster.kind == 'host' else 'admin'"
cache: true
cache_plugin: jsonfile
cache_connection: ~/.cache/ansible
cache_timeout: 600
"""

import hashlib
import json

from ansible.errors import AnsibleParserError
from ansible.plugins.inventory import BaseInventoryPlugin, Cacheable, Constructable
from ansible_collections.muster.fleet.plugins.module_utils.client import MusterError
from ansible_collections.muster.fleet.plugins.module_utils.module import connect
from ansible_collections.muster.fleet.plugins.plugin_utils.values import ValueReader

CONNECTION = ("url", "token", "token_file", "user", "project", "validate_certs", "ca_path", "timeout")


class InventoryModule(BaseInventoryPlugin, Constructable, Cacheable):

    NAME = "muster.fleet.inventory"

    def verify_file(self, path):
        return super(InventoryModule, self).verify_file(path) and path.endswith(("muster.yml", "muster.yaml"))

    def parse(self, inventory, loader, path, cache=True):
        super(InventoryModule, self).parse(inventory, loader, path, cache)
        self._read_config_data(path)
        try:
            self._populate(self._inventory(path, cache))
        except MusterError as error:
            raise AnsibleParserError(error.message)

    def _inventory(self, path, may_use_cache):
        """The response of Muster, or the one in the cache."""
        if not self.get_option("cache"):
            return self._read()
        key = self._cache_key(path)
        if may_use_cache:
            try:
                return json.loads(self._cache[key])
            except KeyError:
                pass
        inventory = self._read()
        # A text, because caches read objects with some names, such as __ansible_unsafe, as values of Ansible.
        self._cache[key] = json.dumps(inventory)
        return inventory

    def _cache_key(self, path):
        """A key for these settings: an inventory with other filters must not be taken for this one."""
        settings = {name: self.get_option(name) for name in ("url", "user", "project", "token_file")}
        settings["filters"] = self._filters()
        digest = hashlib.sha256(json.dumps(settings, sort_keys=True).encode("utf-8")).hexdigest()
        return "%s_%s" % (self.get_cache_key(path), digest[:16])

    def _filters(self):
        names = ("kind", "region", "cell", "label", "device_type", "vars", "where", "inactive", "at")
        filters = {name: self.get_option(name) for name in names}
        if hasattr(filters["at"], "isoformat"):
            filters["at"] = filters["at"].isoformat()
        return filters

    def _read(self):
        client = connect({name: self._connection_option(name) for name in CONNECTION})
        filters = self._filters()
        query = [("resolved-values", "false"), ("at", filters["at"])]
        query += [(name, value) for name in ("kind", "label", "device_type", "vars", "where") for value in filters[name]]
        region_ids = [client.find_id("region", name) for name in filters["region"]]
        query += [("region_id", region_id) for region_id in region_ids]
        query += [("cell_id", cell_id) for name in filters["cell"] for cell_id in cell_ids(client, name, region_ids)]
        if filters["inactive"]:
            query.append(("inactive", "true"))
        return client.get("/v1/ansible-inventory", query)

    def _connection_option(self, name):
        """An option, which can be a template, such as a lookup of the API key."""
        value = self.get_option(name)
        if isinstance(value, str) and ("{{" in value or "{%" in value):
            return self.templar.template(value)
        return value

    def _populate(self, inventory):
        reader = ValueReader(self.loader, self.get_option("templates"))
        meta = inventory["_meta"]
        levels = {key: reader.read(variables) for key, variables in meta["levels"].items()}
        for group, content in inventory.items():
            if group != "_meta":
                self.inventory.add_group(group)
                for child in content.get("children", []):
                    self.inventory.add_group(child)
                    self.inventory.add_child(group, child)
                for name in content.get("hosts", []):
                    self.inventory.add_host(name, group)
        strict = self.get_option("strict")
        for name, host in meta["hosts"].items():
            variables = reader.read(host["defaults"])
            for level in host["levels"]:
                variables.update(levels[level])
            variables.update(reader.read(host["variables"]))
            # Since ansible-core 2.19, set_variable of the inventory copies each value for each host. For a real fleet of 2,326 hosts
            # that takes a minute, although these values are parsed JSON, of which the hosts share most.
            target = self.inventory.get_host(name)
            for key, value in variables.items():
                target.set_variable(key, value)
            variables.setdefault("muster", host["members"])
            self._set_composite_vars(self.get_option("compose"), variables, name, strict)
            self._add_host_to_composed_groups(self.get_option("groups"), variables, name, strict)
            self._add_host_to_keyed_groups(self.get_option("keyed_groups"), variables, name, strict)


def cell_ids(client, name, region_ids):
    """The ids of all cells with a name, in the given regions or, without any, in all."""
    found = [
        cell["id"]
        for region_id in region_ids or [None]
        for cell in client.pages(
            "/v1/cells",
            [("name", name), ("region_id", region_id), ("project_id", client.project_id()), ("fields", "id")],
        )
    ]
    if not found:
        raise MusterError("There is no cell %s in %s." % (name, "these regions" if region_ids else "Muster"))
    return found
