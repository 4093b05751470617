const UNTRUSTED_CERTIFICATE =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT(?:_LOCALLY)?)$/;
const NOT_TLS = /^(?:EPROTO|ERR_SSL_)/;

/** What to do about a network error, as lines of a message. @param code of the innermost cause */
export function networkHints(code: string): string[] {
  if (UNTRUSTED_CERTIFICATE.test(code))
    return [
      '  Its certificate is not signed by a trusted authority. To trust your own authority:',
      '  NODE_EXTRA_CA_CERTS=/path/to/authority.pem muster …',
    ];
  return NOT_TLS.test(code) ? ['  The server does not use TLS: try http:// instead of https://.'] : [];
}
