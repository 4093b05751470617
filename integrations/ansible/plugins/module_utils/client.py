# Copyright: The Muster authors
# Apache License 2.0 (see LICENSE or https://www.apache.org/licenses/LICENSE-2.0)
"""The HTTP client of all plugins of this collection. It needs only the standard library."""

from __future__ import absolute_import, division, print_function

__metaclass__ = type

import http.client
import json
import os
import socket
import ssl
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

# The longest time in seconds that a request waits in total because the service said "retry later".
MAX_WAIT_SECONDS = 60
# How often a request is sent again after its connection was lost.
MAX_REPETITIONS = 2

COLLECTIONS = {
    "cell": "cells",
    "cloud": "clouds",
    "host": "hosts",
    "label": "labels",
    "network_device": "network-devices",
    "region": "regions",
}


class MusterError(Exception):
    """An error that a user can act on. ``status`` is None if there was no response."""

    def __init__(self, message, status=None, code=None, details=None, request_id=None):
        super(MusterError, self).__init__(message)
        self.message = message
        self.status = status
        self.code = code
        self.details = details or []
        self.request_id = request_id


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect could send the API key to another server."""

    def redirect_request(self, req, fp, code, msg, headers, newurl):
        return None


def read_token(token, token_file):
    """Returns the API key: as given, or the content of a file."""
    if token:
        return str(token).strip()
    if not token_file:
        raise MusterError(
            "No API key for Muster. Set the option token or token_file, or the environment variable MUSTER_TOKEN."
        )
    try:
        with open(os.path.expanduser(token_file), encoding="utf-8") as file:
            return file.read().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise MusterError("Cannot read the API key from %s: %s" % (token_file, error))


def header_text(text):
    """A header value that is sent as UTF-8: http.client encodes texts as Latin-1."""
    return text.encode("utf-8").decode("latin-1")


class Client:
    """Sends requests to Muster with an API key, and repeats those that can be repeated."""

    def __init__(
        self, url, token, user=None, project=None, validate_certs=True, ca_path=None, timeout=60
    ):
        if not url:
            raise MusterError("No address of Muster. Set the option url, or the environment variable MUSTER_URL.")
        if not url.startswith(("http://", "https://")):
            raise MusterError("The address of Muster must begin with http:// or https://, but is %s" % url)
        self.url = url.rstrip("/")
        self.timeout = timeout
        self.project = project
        self._headers = {"Accept": "application/json", "Authorization": header_text("Bearer " + token)}
        if user and project:
            # All three, or the key alone, which also says to whom and to which project it belongs.
            self._headers = {
                "Accept": "application/json",
                "X-Auth-Token": header_text(token),
                "X-Auth-User": header_text(user),
                "X-Auth-Project": header_text(project),
            }
        self._opener = urllib.request.build_opener(
            urllib.request.HTTPSHandler(context=self._ssl_context(validate_certs, ca_path)), _NoRedirects()
        )

    @staticmethod
    def _ssl_context(validate_certs, ca_path):
        try:
            context = ssl.create_default_context(cafile=ca_path or None)
        except (OSError, ssl.SSLError) as error:
            raise MusterError("Cannot read the certificates in %s: %s" % (ca_path, error))
        if not validate_certs:
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        return context

    def get(self, path, query=()):
        """Returns the JSON of a response. ``query`` is a list of pairs; a name can occur several times."""
        return self.request("GET", path, query)

    def request(self, method, path, query=(), body=None, headers=None, content_type="application/json"):
        """
        Sends a request, and returns the JSON of the response, or None if it has none.

        A rejection that says when to retry is retried, for at most MAX_WAIT_SECONDS in total. After a lost connection the
        request is sent again: a write has an Idempotency-Key, so it is done once.
        """
        pairs = [(name, value) for name, value in query if value is not None]
        url = self.url + path + ("?" + urllib.parse.urlencode(pairs) if pairs else "")
        data = body
        if body is not None and not isinstance(body, bytes):
            data = json.dumps(body).encode("utf-8")
        all_headers = dict(self._headers)
        if data is not None:
            all_headers["Content-Type"] = content_type
        if method != "GET":
            all_headers["Idempotency-Key"] = str(uuid.uuid4())
        for name, value in (headers or {}).items():
            if value is not None:
                all_headers[name] = header_text(value)
        waited = 0
        repetitions = 0
        while True:
            try:
                return self._send(method, url, data, all_headers)
            except _Rejected as rejected:
                seconds = rejected.retry_after
                if waited + seconds > MAX_WAIT_SECONDS:
                    raise rejected.error
                waited += seconds
                time.sleep(seconds)
            except _ConnectionLost as lost:
                if repetitions >= MAX_REPETITIONS:
                    raise lost.error
                repetitions += 1
                time.sleep(repetitions)

    def _send(self, method, url, data, headers):
        request = urllib.request.Request(url, data=data, headers=headers, method=method)
        try:
            with self._opener.open(request, timeout=self.timeout) as response:
                text = response.read()
        except urllib.error.HTTPError as error:
            self._raise_for(error)
        except urllib.error.URLError as error:
            reason = error.reason
            if isinstance(reason, ssl.SSLCertVerificationError):
                raise MusterError(
                    "The certificate of Muster at %s is not trusted: %s. Set ca_path to the certificate of its authority."
                    % (self.url, reason.verify_message)
                )
            message = MusterError("Cannot connect to Muster at %s: %s" % (self.url, reason))
            if isinstance(reason, (ConnectionResetError, BrokenPipeError)):
                raise _ConnectionLost(message)
            raise message
        except (http.client.HTTPException, ConnectionError) as error:
            raise _ConnectionLost(
                MusterError(
                    "The connection to Muster at %s was lost: %s" % (self.url, error or type(error).__name__)
                )
            )
        except socket.timeout:
            raise MusterError("Muster at %s did not respond within %s seconds." % (self.url, self.timeout))
        if not text:
            return None
        try:
            return json.loads(text.decode("utf-8"))
        except ValueError:
            raise MusterError("%s is not Muster: its response is not JSON." % self.url)

    def _raise_for(self, error):
        """Raises the error of a response with an error status."""
        try:
            body = json.loads(error.read().decode("utf-8"))
        except (ValueError, OSError, http.client.HTTPException):
            body = None
        if not isinstance(body, dict) or "message" not in body:
            body = {"message": "%s %s" % (error.code, error.reason)}
        message = body["message"]
        retry_after = error.headers.get("Retry-After", "")
        if error.code == 401:
            message = "Muster at %s rejected the API key. Check the key, and the user and the project if they are set." % self.url
        elif error.code == 429:
            message = "Muster at %s limits the rate of requests. Retry in %s seconds." % (self.url, retry_after)
        elif error.code >= 500 or 300 <= error.code < 400:
            message = "Muster at %s responds with %s: %s" % (self.url, error.code, message)
        failure = MusterError(message, error.code, body.get("code"), body.get("details"), body.get("request_id"))
        if error.code in (429, 503) and retry_after.isdigit():
            raise _Rejected(failure, int(retry_after))
        if error.code in (502, 503, 504):
            # The request may have been done.
            raise _ConnectionLost(failure)
        raise failure

    def pages(self, path, query=(), limit=1000):
        """Returns all items of a list."""
        items = []
        while True:
            marker = items[-1]["id"] if items else None
            page = self.get(path, list(query) + [("limit", limit), ("marker", marker)])
            items.extend(page)
            if len(page) < limit:
                return items

    def project_id(self):
        """The id of the project. The lists of a root user contain all projects, unless they are filtered by it."""
        if self.project is None:
            self.project = self.get("/v1/whoami")["project_id"]
        return self.project

    def find(self, kind, name, region_id=None, fields="id,version"):
        """Finds a resource by its name; None if there is none."""
        query = [("name", name), ("project_id", self.project_id()), ("fields", fields), ("limit", 2)]
        if kind == "cell":
            query.append(("region_id", region_id))
        found = self.get("/v1/" + COLLECTIONS[kind], query)
        if len(found) > 1:
            raise MusterError("There are several %ss %s. Name the region, too." % (noun(kind), name))
        return found[0] if found else None

    def find_id(self, kind, name, region_id=None):
        """Returns the id of a resource, which must exist."""
        found = self.find(kind, name, region_id, "id")
        if found is None:
            raise MusterError("There is no %s %s in Muster." % (noun(kind), name))
        return found["id"]


def noun(kind):
    """A kind in the words of the API."""
    return kind.replace("_", " ")


class _Rejected(Exception):
    """The service did nothing, and says when to retry."""

    def __init__(self, error, retry_after):
        super(_Rejected, self).__init__(error.message)
        self.error = error
        self.retry_after = retry_after


class _ConnectionLost(Exception):
    """It is not known whether the service did the request."""

    def __init__(self, error):
        super(_ConnectionLost, self).__init__(error.message)
        self.error = error
