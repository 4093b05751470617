import type { PlainRequest } from '../api/request';

/** The header of the reason of a change. */
export const REASON_HEADER = 'X-Change-Reason';
const OVERRIDE_HEADER = 'X-Change-Override';

/** Header values are Latin-1: the service reads the bytes as UTF-8. */
const headerValue = (text: string): string =>
  Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');

/** The reasons typed in the dialog. Empty ones are not sent. */
export interface WriteReasons {
  readonly reason: string;
  readonly override: string;
}

const headersOf = ({ reason, override }: WriteReasons): Readonly<Record<string, string>> => ({
  ...(reason === '' ? {} : { [REASON_HEADER]: headerValue(reason) }),
  ...(override === '' ? {} : { [OVERRIDE_HEADER]: headerValue(override) }),
});

export const withHeaders = (request: PlainRequest, reasons: WriteReasons): PlainRequest => ({
  ...request,
  headers: { ...request.headers, ...headersOf(reasons) },
});

/** The options of the `muster` command. */
export const commandOptions = ({ reason, override }: WriteReasons, propose: string): readonly string[] =>
  Object.entries({ reason, override, propose }).flatMap(([name, text]) =>
    text === '' ? [] : [`--${name}`, text],
  );
