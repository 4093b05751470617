import { Members, Raw, type Json } from './json-tree';

/**
 * What attackers and broken clients send, by name. Everything that is random takes its worst from here, and what fails
 * is called by these names.
 */

/* JSON bombs: short or cheap to send, dear to read. */

/** A hundred thousand arrays in each other: what walks them with a call for each level runs out of stack. */
export const NESTED_ARRAYS = '['.repeat(100_000) + ']'.repeat(100_000);
/** The same of objects. */
export const NESTED_OBJECTS = '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000);
/** Opened, and never closed. */
export const UNCLOSED_ARRAYS = '['.repeat(100_000);
/** As wide as it is cheap: two hundred thousand members. */
export const WIDE_OBJECT = `{${Array.from({ length: 200_000 }, (_, i) => `"k${String(i)}":0`).join(',')}}`;
export const WIDE_ARRAY = `[${'0,'.repeat(300_000)}0]`;
/** One key over and over: the last one counts, or so one hopes. */
export const DUPLICATE_KEYS = `{${'"name":"a",'.repeat(50_000)}"name":"b"}`;
/** Arrays in arrays: what copies them level by level copies much. */
export const NESTED_WIDE = nestedWide(6);
/** Escapes take six bytes for one. */
export const ESCAPED_TEXT = `{"name":"${'\\u0061'.repeat(200_000)}"}`;

function nestedWide(levels: number): string {
  return levels === 0 ? '0' : `[${Array.from({ length: 8 }, () => nestedWide(levels - 1)).join(',')}]`;
}

export const JSON_BOMBS: Readonly<Record<string, string>> = {
  NESTED_ARRAYS,
  NESTED_OBJECTS,
  UNCLOSED_ARRAYS,
  WIDE_OBJECT,
  WIDE_ARRAY,
  DUPLICATE_KEYS,
  NESTED_WIDE,
  ESCAPED_TEXT,
};

/* Numbers, as they stand in JSON and in queries. */

/** JavaScript takes it for infinite. */
export const BEYOND_DOUBLE = '1e400';
/** JavaScript takes it for zero. */
export const BELOW_DOUBLE = '1e-400';
/** A hundred thousand digits: powers of the length, in what computes with them. */
export const HUNDRED_THOUSAND_DIGITS = '9'.repeat(100_000);
/** A few bytes that a decimal of unlimited size writes out in full. */
export const EXPONENT_BOMB = '1e999999999';
export const NEGATIVE_ZERO = '-0';
/** The first whole number that JavaScript cannot hold, and the ends of the database's integers. */
export const BEYOND_SAFE = '9007199254740993';
export const BIGINT_MAX = '9223372036854775807';
export const BEYOND_BIGINT = '9223372036854775808';
export const BELOW_BIGINT = '-9223372036854775809';
export const BEYOND_INTEGER = '2147483648';
/** What JSON has no word for. */
export const NOT_A_NUMBER = 'NaN';
export const INFINITE = 'Infinity';
export const HEXADECIMAL = '0x1F';
export const LEADING_ZERO = '007';

export const NUMBERS = [
  ...[BEYOND_DOUBLE, BELOW_DOUBLE, EXPONENT_BOMB, NEGATIVE_ZERO, BEYOND_SAFE, BIGINT_MAX, BEYOND_BIGINT],
  ...[
    BELOW_BIGINT,
    BEYOND_INTEGER,
    NOT_A_NUMBER,
    INFINITE,
    HEXADECIMAL,
    LEADING_ZERO,
    '1.5',
    '1e3',
    '+1',
    '1_0',
  ],
] as const;

/* Unicode oddities. */

/** Half of a character: no UTF-8, and `jsonb` refuses it. */
export const LONE_SURROGATE = 'a\ud800b';
export const REVERSED_SURROGATES = '\udc00\ud800';
/** What ends a string of C, and PostgreSQL's text cannot hold. */
export const NUL = 'a\u0000b';
/** Shown, it reads backwards. */
export const BIDI_OVERRIDE = 'user\u202egnp.exe';
/** The same to the eye, two to the database. */
export const COMPOSED = 'caf\u00e9';
export const DECOMPOSED = 'cafe\u0301';
/** Not to be seen. */
export const ZERO_WIDTH = 'ad\u200bmin\ufeff';
/** Four bytes each; one of them is a sequence of seven characters. */
export const FOUR_BYTES = '\u{1f469}\u200d\u{1f469}\u200d\u{1f467}\u200d\u{1f466}\u{20000}';
/** A letter under two thousand accents. */
export const ZALGO = 'e' + '\u0301'.repeat(2_000);
/** Longer, shorter, or another length in the other case. */
export const CASE_TRAPS = 'İıßſΣςﬃ';
/** What JavaScript takes for the end of a line. */
export const LINE_SEPARATORS = 'a\u2028b\u2029c\u0085d';
export const NONCHARACTER = '\uffff\ufffe\u{10ffff}';
export const CONTROLS = '\u0001\u001b[31m\u007f\u009b';

export const UNICODE = [
  ...[LONE_SURROGATE, REVERSED_SURROGATES, NUL, BIDI_OVERRIDE, COMPOSED, DECOMPOSED, ZERO_WIDTH, FOUR_BYTES],
  ...[ZALGO, CASE_TRAPS, LINE_SEPARATORS, NONCHARACTER, CONTROLS],
] as const;

/** Bytes that are no UTF-8, for a body and, percent-encoded, for a path: overlong, of a surrogate, cut off, of Latin-1. */
export const INVALID_UTF8: Readonly<Record<string, readonly number[]>> = {
  OVERLONG_SLASH: [0xc0, 0xaf],
  OVERLONG_NUL: [0xc0, 0x80],
  ENCODED_SURROGATE: [0xed, 0xa0, 0x80],
  BEYOND_UNICODE: [0xf4, 0x90, 0x80, 0x80],
  CUT_OFF: [0xe2, 0x82],
  LATIN_1: [0xe9],
  STRAY: [0x80, 0xff],
};

/* Prototype pollution: names that every object of JavaScript answers to. */

/** What would be seen on every object if one of these got through. */
export const POLLUTION = 'polluted';
export const PROTOTYPE_KEYS = [
  ...['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty', 'toJSON', 'then'],
  ...['__defineGetter__', '__lookupSetter__', 'constructor.prototype', '__proto__.polluted', 'length'],
] as const;
const polluting = new Members([
  [POLLUTION, true],
  ['is_root', true],
  ['isAdmin', true],
]);
export const PROTO_OBJECT = new Members([['__proto__', polluting]]);
export const CONSTRUCTOR_PROTOTYPE = new Members([['constructor', new Members([['prototype', polluting]])]]);
export const NESTED_PROTO = new Members([['a', new Members([['__proto__', polluting]])]]);
export const POLLUTING_QUERIES = [
  '__proto__[polluted]=1',
  'constructor[prototype][polluted]=1',
  '__proto__.polluted=1',
  '__proto__=1&__proto__=2',
  'limit[__proto__]=1',
  'name[]=a&name[]=b',
  'name[toString]=a',
] as const;

/* Injection into what takes text for more: SQL, jsonpath, LIKE, printf, HTML, shells, logs. */

export const SQL = [
  "' OR '1'='1",
  "'; DROP TABLE devices; --",
  '1) UNION SELECT secret_hash FROM api_keys --',
  "\\'; SELECT pg_sleep(30); --",
  '$1',
  '$$',
  ':name',
  '/*',
  '%',
  '_',
  '\\',
  'id; id',
  '"id"',
] as const;
export const JSONPATH = [
  'a:1) || (1==1',
  '$.** ? (@ like_regex "(a+)+$")',
  'a.b[*].c:"x" ? (@ == 1)',
  'a."b\\".c":1',
  'a[0 to last]:1',
  'a:"\\u0000"',
  'a:1e400',
  `${'a.'.repeat(5_000)}a:1`,
  `a${'[*]'.repeat(5_000)}:1`,
  `${'a:1,'.repeat(5_000)}a:1`,
  `a:${'['.repeat(50_000)}`,
] as const;
export const OTHER_INJECTIONS = [
  '<script>alert(1)</script>',
  '${jndi:ldap://127.0.0.1/a}',
  '{{7*7}}',
  '%s%n%d',
  '$(id)',
  '../../../../etc/passwd',
  'a\r\nX-Injected: yes',
  '\n{"level":60,"msg":"forged"}',
] as const;

/* Regular expressions that take for ever, and what takes them there. */

export const CATASTROPHIC_PATTERNS = [
  '^(a+)+$',
  '^(a|a)*$',
  '^(a|aa)+$',
  '(.*a){25}$',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '(x+x+)+y',
  '^(?=(a+)+$)',
  '(a*)*\\1$',
  `${'(a?)'.repeat(60)}${'a'.repeat(60)}`,
  '((a{0,100}){0,100}){0,100}',
  `${'('.repeat(1_000)}a${')'.repeat(1_000)}`,
  '\\p{L}{1000}{1000}',
  '[',
  '(?<n>a)(?<n>b)',
] as const;
/** Nearly what they look for: thirty would do. */
export const NEARLY_MATCHING = `${'a'.repeat(50_000)}!`;

/* Long texts. */

export const LONG_TEXT = 'x'.repeat(70_000);

/** All the texts, for wherever a text goes. */
export const TEXTS: readonly string[] = [
  ...UNICODE,
  ...PROTOTYPE_KEYS,
  ...SQL,
  ...JSONPATH,
  ...OTHER_INJECTIONS,
  ...CATASTROPHIC_PATTERNS,
  ...NUMBERS,
  NEARLY_MATCHING,
  LONG_TEXT,
  '',
  ' ',
  'null',
  'undefined',
  'true',
];

/** All the values, for wherever JSON goes. */
export const VALUES: readonly Json[] = [
  ...TEXTS,
  ...NUMBERS.map((number) => new Raw(number)),
  new Raw(HUNDRED_THOUSAND_DIGITS),
  new Raw('['.repeat(65) + ']'.repeat(65)),
  new Raw('['.repeat(5_000) + ']'.repeat(5_000)),
  new Raw('{"a":'.repeat(2_000) + '1' + '}'.repeat(2_000)),
  PROTO_OBJECT,
  CONSTRUCTOR_PROTOTYPE,
  NESTED_PROTO,
  new Members(CATASTROPHIC_PATTERNS.map((pattern) => [pattern, pattern])),
  new Members([['pattern', '^(a+)+$']]),
  new Members([['$ref', '#']]),
  new Members([['$ref', 'file:///etc/passwd']]),
  new Members([['allOf', [new Members([['$ref', '#']])]]]),
  new Members([['', null]]),
  new Members([['length', new Raw('1e9')]]),
];

/* Paths. Percent-encoded as they are sent. */

export const PATH_SEGMENTS = [
  '%2e%2e',
  '..',
  '.',
  '%2f',
  '1%2f..%2f2',
  '%00',
  '1%00',
  '%',
  '%zz',
  '%c0%af',
  '%ed%a0%80',
  '%ff',
  '%252e%252e',
  '1;a=b',
  '1%0d%0aX-Injected:%20yes',
  '%0a',
  '%20',
  '+1',
  '-1',
  '0',
  '1.0',
  '1e3',
  '0x1',
  '%D9%A1', // an Arabic digit one
  '9007199254740993',
  '9223372036854775808',
  '9'.repeat(2_000),
  '%F0%9F%91%A9',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  "1'%20OR%201=1",
  '*',
  '$%7Bid%7D',
  '{id}',
  'x'.repeat(5_000),
] as const;

/** Made of a path that there is. */
export const PATH_TRICKS: Readonly<Record<string, (path: string) => string>> = {
  DOUBLE_SLASH: (path) => `/${path}`,
  DOUBLED_SLASHES: (path) => path.replaceAll('/', '//'),
  TRAILING_SLASH: (path) => `${path}/`,
  DOTS: (path) => `/v1/../.${path}`,
  ENCODED_DOTS: (path) => `/x/%2e%2e${path}`,
  ENCODED_SLASHES: (path) => `/${path.slice(1).replaceAll('/', '%2f')}`,
  NUL_AT_END: (path) => `${path}%00`,
  UPPER_CASE: (path) => path.toUpperCase(),
  ENCODED_LETTERS: (path) => path.replace('v1', '%76%31'),
  FRAGMENT: (path) => `${path}#/v1/projects`,
  SEMICOLON: (path) => `${path};jsessionid=1`,
  BACKSLASHES: (path) => `/${path.slice(1).replaceAll('/', '%5c')}`,
  ABSOLUTE_FORM: (path) => `http://elsewhere.example${path}`,
  WITH_CREDENTIALS: (path) => `http://a:b@elsewhere.example${path}`,
  MALFORMED_PERCENT: (path) => `${path}/%`,
  OVERLONG: (path) => `${path}/%c0%ae%c0%ae/`,
  LONG: (path) => path + '/x'.repeat(3_000),
  ASTERISK: () => '*',
};

/** Queries as they are sent. */
export const QUERY_TRICKS: readonly string[] = [
  ...POLLUTING_QUERIES,
  '%',
  '%zz=%',
  '=',
  '&&&&',
  'a=b=c',
  '%00=%00',
  'limit=%ff',
  'name=%ed%a0%80',
  '?limit=1',
  'limit=1&limit=2',
  Array.from({ length: 1_500 }, (_, i) => `p${String(i)}=1`).join('&'),
  'name=a&'.repeat(1_200),
  `name=${'%61'.repeat(3_000)}`,
];

/* Headers. Node's client refuses control characters: those are sent over a bare socket. */

export const HEADER_VALUES: readonly string[] = [
  '',
  ' ',
  ',',
  '"',
  '""',
  'W/',
  '*, "1"',
  `"${'a'.repeat(3_000)}"`,
  `${'"1",'.repeat(1_000)}"1"`,
  ',\t'.repeat(1_500),
  'a\tb',
  '\u00e9\u00ff\u0080',
  Buffer.from('caf\u00e9 \u{1f469}').toString('latin1'),
  Buffer.from([0xed, 0xa0, 0x80]).toString('latin1'),
  Buffer.from([0xc0, 0xaf]).toString('latin1'),
  '%0d%0aX-Injected:%20yes',
  '\\r\\nX-Injected: yes',
  '__proto__',
  "' OR 1=1 --",
  '${jndi:ldap://127.0.0.1/a}',
  '-1',
  '1e400',
  'NaN',
  'null',
  'x'.repeat(3_000),
  NEARLY_MATCHING.slice(-4_000),
];

/** Headers that things on the way believe, and a service should not. */
export const FORGED_HEADERS: readonly (readonly [string, string])[] = [
  ['Host', 'elsewhere.example'],
  ['Host', 'elsewhere.example/"><script>'],
  ['Host', '[::1'],
  ['Host', ''],
  ['X-Forwarded-Host', 'elsewhere.example'],
  ['X-Forwarded-Proto', 'javascript'],
  ['X-Forwarded-For', "127.0.0.1, ' OR 1=1"],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['X-Original-URL', '/v1/projects'],
  ['Range', 'bytes=0-0,1-1,2-2'],
  ['Accept', 'application/vnd.muster.page+json;q='],
  ['Accept', '*/*;q=0.1,'.repeat(300)],
  ['Accept', 'application/x-ndjson, text/csv;q=0'],
  ['Accept-Encoding', 'gzip;q=1e400, *;q=-1'],
  ['Accept-Language', 'x'.repeat(2_000)],
  ['Authorization', 'Basic Og=='],
  ['Authorization', 'Bearer'],
  ['Authorization', `Bearer ${'a'.repeat(3_000)}`],
  ['Cookie', `__proto__=1; ${'a=b; '.repeat(300)}`],
  ['Origin', 'null'],
  ['If-Modified-Since', 'not a date'],
  ['Content-Type', 'application/json; charset="utf-8'],
  ['Content-Type', 'application/json; charset=utf-7'],
  ['Content-Type', `application/json; ${'a=b; '.repeat(500)}`],
  ['Content-Type', 'application/x-ndjson'],
  ['Content-Type', 'text/csv'],
  ['Content-Type', 'multipart/form-data; boundary=x'],
  ['Content-Type', '/'],
  ['Content-Encoding', 'gzip, gzip, gzip'],
  ['Content-Encoding', '__proto__'],
  ['Content-Encoding', 'constructor'],
  ['X-Request-Id', 'a\tb'],
  ['X-Request-Id', '<script>'],
  ['Expect', '200-ok'],
  ['TE', 'trailers, deflate;q=0.5'],
  ['Upgrade', 'websocket'],
  ['Via', '1.1 elsewhere'],
];
