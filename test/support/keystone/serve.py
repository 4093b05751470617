"""Serves a real Keystone, from Debian's packages, for tests: serve.py FOLDER.

All in one process, because every further one would import Keystone anew. It keeps what it has to keep in the folder,
prints two ports as JSON once it serves, and ends when its standard input does: with the tests, however they end.
What asks for tokens at the second port gets some that last two seconds.

Who is to be there is made on demand of a POST to /made, whose body is [WHAT, ARGUMENTS...], by Keystone's own managers, as
its bootstrap does it: Keystone's own requests for it take a tenth of a second each, most of it to find out again who its
administrator is. "away" as a line of its input lets nobody be heard at both ports any more, and "back" serves there again.
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
    """A folder of keys: what `keystone-manage fernet_setup` and `credential_setup` do."""
    folder = keystone.conf.CONF[group].key_repository
    os.mkdir(folder, 0o700)
    fernet_utils.FernetUtils(folder, 3, group).initialize_key_repository()


def bootstrap():
    """The first domain, project, roles and user: what `keystone-manage bootstrap` does."""
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
    """Its id; a role that there is not yet is made."""
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


def made(environ, start_response):
    what, *arguments = json.loads(environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"])))
    answer = {make.__name__: make for make in (project, domain, user, role, grant)}[what](*arguments)
    start_response("200 OK", [("Content-Type", "application/json")])
    return [json.dumps(answer).encode()]


class Silent(WSGIRequestHandler):
    def log_message(self, *_):
        pass


class Servers:
    """Both ports: the one, and that of tokens which last two seconds."""

    def __init__(self, public):
        self.public = public
        self.ports = [0, 0]
        self.servers = []
        self.one_at_a_time = threading.Lock()

    def listen(self):
        self.servers = [
            make_server("127.0.0.1", port, self.answerer(lifetime), handler_class=Silent)
            for port, lifetime in zip(self.ports, [LIFETIME, SHORT_LIFETIME])
        ]
        self.ports = [server.server_port for server in self.servers]
        for server in self.servers:
            threading.Thread(target=server.serve_forever, daemon=True).start()

    def away(self):
        for server in self.servers:
            server.shutdown()
            server.server_close()

    def answerer(self, lifetime):
        def answer(environ, start_response):
            with self.one_at_a_time:
                if environ["PATH_INFO"] == "/made":
                    return made(environ, start_response)
                # Each time it is set, Keystone forgets what it has read of all its settings.
                if keystone.conf.CONF.token.expiration != lifetime:
                    keystone.conf.CONF.set_override("expiration", lifetime, group="token")
                return list(self.public(environ, start_response))

        return answer


def main():
    # Also where it is stopped just then, and does not see the end of its input.
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    folder = sys.argv[1]
    configuration = os.path.join(folder, "keystone.conf")
    with open(configuration, "w") as file:
        file.write(CONFIGURATION.format(folder=folder))
    # Some parts of Keystone read the command line again.
    sys.argv[1:] = ["--config-file", configuration]
    keystone.server.configure(config_files=[configuration])
    upgrades.offline_sync_database_to_version()
    # What a request has left half read locks nobody out then.
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
