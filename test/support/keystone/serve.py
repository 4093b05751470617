"""Serves a real Keystone, from Debian's packages, for tests: serve.py FOLDER PORT SHORT_PORT (0: a free port).

All in one process, because every further one would import Keystone anew. It keeps what it has to keep in the folder,
prints both ports as JSON once it serves, and ends when its standard input does: with the tests, however they end.
What asks for tokens at the second port gets some that last two seconds.
"""

import ctypes
import json
import os
import signal
import sys
import threading
from wsgiref.simple_server import WSGIRequestHandler, make_server

import keystone.conf
import keystone.server
from keystone.cmd.bootstrap import Bootstrapper
from keystone.common import fernet_utils
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


class Silent(WSGIRequestHandler):
    def log_message(self, *_):
        pass


def main():
    # Also where it is stopped just then, and does not see the end of its input.
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    folder, *ports = sys.argv[1:]
    configuration = os.path.join(folder, "keystone.conf")
    is_new = not os.path.exists(configuration)
    if is_new:
        with open(configuration, "w") as file:
            file.write(CONFIGURATION.format(folder=folder))
    # Some parts of Keystone read the command line again.
    sys.argv[1:] = ["--config-file", configuration]
    keystone.server.configure(config_files=[configuration])
    if is_new:
        upgrades.offline_sync_database_to_version()
        make_keys("fernet_tokens")
        make_keys("credential")
        bootstrap()
    else:
        keystone.server.setup_backends()
    public = core.setup_app_middleware(application.application_factory("public"))
    one_at_a_time = threading.Lock()

    def answer(environ, start_response):
        with one_at_a_time:
            is_short = environ["SERVER_PORT"] == str(servers[1].server_port)
            lifetime = SHORT_LIFETIME if is_short else LIFETIME
            keystone.conf.CONF.set_override("expiration", lifetime, group="token")
            return list(public(environ, start_response))

    servers = [make_server("127.0.0.1", int(port), answer, handler_class=Silent) for port in ports]
    for server in servers:
        threading.Thread(target=server.serve_forever, daemon=True).start()
    print(json.dumps([server.server_port for server in servers]), flush=True)
    sys.stdin.read()


main()
