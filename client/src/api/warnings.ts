/** The texts of the `Warning` headers of a response: `299 - "a text"`, separated by commas. */
export function readWarnings(headers: Headers): string[] {
  // The service sends UTF-8, and `fetch` reads each byte as one character.
  const header = Buffer.from(headers.get('warning') ?? '', 'latin1').toString('utf8');
  return [...header.matchAll(/\b299 - "((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) =>
    text.replace(/\\(.)/g, '$1'),
  );
}
