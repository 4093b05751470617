import type { PlainRequest } from '../api/request';

/** The header of the reason of a change. */
export const REASON = 'X-Change-Reason';
const OVERRIDE = 'X-Change-Override';

/** Header values are Latin-1: the service reads the bytes as UTF-8. */
const headerValue = (text: string): string =>
  Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');

/** What is typed beside the write, as it is sent. An empty text is not. */
export interface Texts {
  readonly reason: string;
  readonly override: string;
}

const headersOf = ({ reason, override }: Texts): Readonly<Record<string, string>> => ({
  ...(reason === '' ? {} : { [REASON]: headerValue(reason) }),
  ...(override === '' ? {} : { [OVERRIDE]: headerValue(override) }),
});

export const withHeaders = (request: PlainRequest, texts: Texts): PlainRequest => ({
  ...request,
  headers: { ...request.headers, ...headersOf(texts) },
});

/** The options of the `muster` command. */
export const optionsOf = ({ reason, override }: Texts, propose: string): readonly string[] =>
  Object.entries({ reason, override, propose }).flatMap(([name, text]) =>
    text === '' ? [] : [`--${name}`, text],
  );
