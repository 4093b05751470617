# Copyright: The Muster authors
# Apache License 2.0 (see LICENSE or https://www.apache.org/licenses/LICENSE-2.0)
"""Reads values of Muster as values of Ansible."""

from __future__ import absolute_import, division, print_function

__metaclass__ = type

from ansible.utils.unsafe_proxy import wrap_var

try:
    from ansible.parsing.vault import EncryptedString
    from ansible.template import trust_as_template

    AnsibleVaultEncryptedUnicode = None
except ImportError:
    # Before ansible-core 2.19, all texts are templates unless they are marked as unsafe.
    from ansible.parsing.yaml.objects import AnsibleVaultEncryptedUnicode

    EncryptedString = None
    trust_as_template = None

VAULT_HEADER = "$ANSIBLE_VAULT;"


class ValueReader:
    """
    Decides for each text whether Ansible evaluates it as a template, and makes encrypted texts those of Ansible Vault.

    :arg templates: whether texts are templates, unless they are marked by ``{"__ansible_unsafe": "..."}``
    """

    def __init__(self, loader, templates):
        self._loader = loader
        self._templates = templates

    def read(self, value):
        """Returns the value of Ansible for a JSON value of Muster."""
        if isinstance(value, dict):
            if len(value) == 1:
                for name, read in (("__ansible_unsafe", self._unsafe), ("__ansible_vault", self._encrypted)):
                    if isinstance(value.get(name), str):
                        return read(value[name])
            return {key: self.read(member) for key, member in value.items()}
        if isinstance(value, list):
            return [self.read(item) for item in value]
        if isinstance(value, str):
            return self._text(value)
        return value

    def _text(self, text):
        if text.startswith(VAULT_HEADER):
            return self._encrypted(text)
        if not self._templates:
            return self._unsafe(text)
        # All texts, also without templates: ansible-inventory prints others as unsafe.
        return trust_as_template(text) if trust_as_template else text

    @staticmethod
    def _unsafe(text):
        return text if trust_as_template else wrap_var(text)

    def _encrypted(self, text):
        if EncryptedString:
            return EncryptedString(ciphertext=text)
        encrypted = AnsibleVaultEncryptedUnicode(text)
        # As the parser of YAML files does it.
        encrypted.vault = self._loader._vault
        return encrypted
