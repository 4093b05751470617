"""Serves a real Keystone, from Debian's packages, for tests: serve.py FOLDER.

It is one process, because each process would import Keystone again. It stores its data in the folder, prints two ports as
JSON when it serves, and exits at the end of its standard input, so that it always ends with the tests.
Tokens issued on the second port expire after two seconds.

POST /create with the body [WHAT, ARGUMENTS...] creates objects through Keystone's managers, as its bootstrap does. This
is much faster than Keystone's API, which authenticates the administrator each time.
The input line "away" closes both ports, and "back" opens them again.
"""

import ctypes
import json
import os
import signal
import sqlite3
import sys
import threading
import uuid
from wsgiref.simple_server import WSGIRequestHandler, make_server

import keystone.conf
import keystone.server
from keystone.cmd.bootstrap import Bootstrapper
from keystone.common import driver_hints, fernet_utils, provider_api
from keystone.common.sql import upgrades
from keystone.server.flask import application, core

CONFIGURATION = """
[DEFAULT]
default_log_levels = alembic=WARNING,keystone=WARNING
use_stderr = true
[database]
connection = sqlite:///{folder}/keystone.db
[fernet_tokens]
key_repository = {folder}/fernet
[fernet_receipts]
key_repository = {folder}/fernet
[credential]
key_repository = {folder}/credential
[cache]
enabled = true
backend = oslo_cache.dict
[identity]
password_hash_rounds = 4
[oslo_policy]
enforce_scope = true
enforce_new_defaults = true
"""

PR_SET_PDEATHSIG = 1

LIFETIME = 3600
SHORT_LIFETIME = 2

APIS = provider_api.ProviderAPIs


def new_id():
    return uuid.uuid4().hex


def make_keys(group):
    """Creates a folder of keys, as `keystone-manage fernet_setup` and `credential_setup` do."""
    folder = keystone.conf.CONF[group].key_repository
    os.mkdir(folder, 0o700)
    fernet_utils.FernetUtils(folder, 3, group).initialize_key_repository()


def bootstrap():
    """Creates the first domain, project, roles and user, as `keystone-manage bootstrap` does."""
    first = Bootstrapper()
    first.admin_username = "admin"
    first.admin_password = os.environ["ADMIN_PASSWORD"]
    first.project_name = "admin"
    first.admin_role_name = "admin"
    first.service_name = "keystone"
    first.bootstrap()


def project(name, domain):
    members = {"id": new_id(), "name": name, "domain_id": domain, "enabled": True}
    return APIS.resource_api.create_project(members["id"], members)["id"]


def domain(name):
    members = {"id": new_id(), "name": name, "enabled": True}
    return APIS.resource_api.create_domain(members["id"], members)["id"]


def user(name, password, domain):
    return APIS.identity_api.create_user(
        {"name": name, "password": password, "domain_id": domain, "enabled": True}
    )["id"]


def role(name):
    """The ID of a role, which is created if it does not exist."""
    hints = driver_hints.Hints()
    hints.add_filter("name", name)
    for found in APIS.role_api.list_roles(hints):
        return found["id"]
    members = {"id": new_id(), "name": name}
    return APIS.role_api.create_role(members["id"], members)["id"]


def grant(user_id, name, where):
    """Where: {"project": ID}, {"domain": ID}, or {} for the whole system."""
    if where:
        target = {f"{kind}_id": place for kind, place in where.items()}
        APIS.assignment_api.create_grant(role(name), user_id=user_id, **target)
    else:
        APIS.assignment_api.create_system_grant_for_user(user_id, role(name))


def create(environ, start_response):
    what, *arguments = json.loads(environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"])))
    result = {make.__name__: make for make in (project, domain, user, role, grant)}[what](*arguments)
    start_response("200 OK", [("Content-Type", "application/json")])
    return [json.dumps(result).encode()]


class Silent(WSGIRequestHandler):
    def log_message(self, *_):
        pass


class Servers:
    """The servers on both ports."""

    def __init__(self, public):
        self.public = public
        self.ports = [0, 0]
        self.servers = []
        self.one_at_a_time = threading.Lock()

    def listen(self):
        self.servers = [
            make_server("127.0.0.1", port, self.handler(lifetime), handler_class=Silent)
            for port, lifetime in zip(self.ports, [LIFETIME, SHORT_LIFETIME])
        ]
        self.ports = [server.server_port for server in self.servers]
        for server in self.servers:
            threading.Thread(target=server.serve_forever, daemon=True).start()

    def away(self):
        for server in self.servers:
            server.shutdown()
            server.server_close()

    def handler(self, lifetime):
        def handle(environ, start_response):
            with self.one_at_a_time:
                if environ["PATH_INFO"] == "/create":
                    return create(environ, start_response)
                # Setting an option clears Keystone's cache of all options.
                if keystone.conf.CONF.token.expiration != lifetime:
                    keystone.conf.CONF.set_override("expiration", lifetime, group="token")
                return list(self.public(environ, start_response))

        return handle


def main():
    # Covers a stopped process, which does not see the end of its input.
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    folder = sys.argv[1]
    configuration = os.path.join(folder, "keystone.conf")
    with open(configuration, "w") as file:
        file.write(CONFIGURATION.format(folder=folder))
    # Some parts of Keystone read the command line again.
    sys.argv[1:] = ["--config-file", configuration]
    keystone.server.configure(config_files=[configuration])
    upgrades.offline_sync_database_to_version()
    # In WAL mode, unfinished reads block no writes.
    with sqlite3.connect(os.path.join(folder, "keystone.db")) as database:
        database.execute("PRAGMA journal_mode=WAL")
    make_keys("fernet_tokens")
    make_keys("credential")
    bootstrap()
    servers = Servers(core.setup_app_middleware(application.application_factory("public")))
    servers.listen()
    print(json.dumps(servers.ports), flush=True)
    for line in sys.stdin:
        if line == "away\n":
            servers.away()
        else:
            servers.listen()
        print(json.dumps(servers.ports), flush=True)


main()
