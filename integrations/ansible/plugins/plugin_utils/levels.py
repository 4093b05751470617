# Copyright: The Muster authors
# Apache License 2.0 (see LICENSE or https://www.apache.org/licenses/LICENSE-2.0)
"""Reads variables of one device or level, for lookups."""

from __future__ import absolute_import, division, print_function

__metaclass__ = type

import urllib.parse

from ansible_collections.muster.fleet.plugins.module_utils.client import COLLECTIONS, MusterError, noun
from ansible_collections.muster.fleet.plugins.module_utils.module import connect

CONNECTION = ("url", "token", "token_file", "user", "project", "validate_certs", "ca_path", "timeout")
# A cell before its region.
KINDS = ("host", "network_device", "label", "cell", "region")
# These inherit variables, so their values can be explained.
INHERITING = ("host", "network_device", "cell")


class LevelReader:
    """The device or level that the options of a lookup name, or else the host of the play."""

    def __init__(self, get_option, play_variables):
        options = {name: get_option(name) for name in CONNECTION}
        names = {}
        for kind in KINDS:
            try:
                names[kind] = get_option(kind)
            except KeyError:
                # The lookup explain has no labels.
                names[kind] = None
        chosen = [kind for kind in KINDS if names[kind] is not None and not (kind == "region" and names["cell"])]
        if len(chosen) > 1:
            raise MusterError("Name one device or level, not a %s and a %s." % (noun(chosen[0]), noun(chosen[1])))
        if not chosen:
            chosen = ["host"]
            names["host"] = (play_variables or {}).get("inventory_hostname")
            if names["host"] is None:
                raise MusterError("Name a device or a level: there is no host of a play here.")
        self.kind = chosen[0]
        self.name = "The %s %s" % (noun(self.kind), names[self.kind])
        self._client = connect(options)
        self._at = get_option("at")
        region_id = None
        if self.kind == "cell" and names["region"]:
            region_id = self._client.find_id("region", names["region"])
        level_id = self._client.find_id(self.kind, names[self.kind], region_id)
        self._path = "/v1/%s/%d/variables" % (COLLECTIONS[self.kind], level_id)

    def value(self, key):
        """Returns whether a variable is set, and its value."""
        if self.kind in INHERITING:
            explanation = self.explanation(key)
            return explanation is not None, explanation and explanation["value"]
        path = "%s/%s" % (self._path, urllib.parse.quote(key, safe=""))
        try:
            return True, self._client.get(path, [("at", self._at)])["value"]
        except MusterError as error:
            if error.status == 404 and any(detail["field"] == "key" for detail in error.details):
                return False, None
            raise

    def explanation(self, key):
        """Returns where the value of a variable comes from; None if it is not set."""
        if self.kind not in INHERITING:
            raise MusterError("Only devices and cells have explanations, because only they inherit variables.")
        found = self._client.get(self._path + "/explain", [("key", key), ("at", self._at)])
        return found["variables"].get(key)
