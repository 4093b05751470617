declare global {
  /** Where libraries look for the nonce of the style elements that they create. */
  var __webpack_nonce__: string | undefined;
}

/** The nonce that the Content-Security-Policy of this page asks of style elements. */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';

globalThis.__webpack_nonce__ = styleNonce;
