import { readWarnings } from '../../client/src/commands/session';
import { warningHeader } from '../../src/http/warnings';

const sent = (...texts: string[]): string[] => {
  const headers = new Headers(warningHeader(texts));
  return readWarnings(headers);
};

it('writes warnings as Kubernetes does', () => {
  expect(warningHeader(['10.1.1.9 is also the address of host web-1'])).toEqual({
    warning: '299 - "10.1.1.9 is also the address of host web-1"',
  });
  expect(warningHeader([])).toEqual({});
});

it.each(['plain', 'a "quoted\\" name', 'ends with \\', '", 299 - "two', 'größer 猫😀', ''])(
  'reads what it wrote: %j',
  (text) => {
    expect(sent(text, 'another')).toEqual([text, 'another']);
  },
);

it('replaces characters that a header cannot contain', () => {
  expect(sent('a\r\nx-injected: 1\u0000\u007f')).toEqual(['a  x-injected: 1  ']);
});

it('sends at most five warnings', () => {
  expect(sent('a', 'b', 'c', 'd', 'e', 'f')).toEqual(['a', 'b', 'c', 'd', 'e']);
});

it('reads no warnings from other headers', () => {
  expect(readWarnings(new Headers())).toEqual([]);
  expect(readWarnings(new Headers({ warning: '110 proxy "stale"' }))).toEqual([]);
});
