import { Members, Raw, type Json } from './unserialized-json';

/**
 * Inputs of attackers and broken clients, by name. Random tests take their worst inputs from here, and report
 * failures by these names.
 */

/* JSON bombs: short or cheap to send, expensive to parse. */

/** A hundred thousand nested arrays: recursive processing overflows the stack. */
export const NESTED_ARRAYS = '['.repeat(100_000) + ']'.repeat(100_000);
/** The same with objects. */
export const NESTED_OBJECTS = '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000);
/** Opened, but never closed. */
export const UNCLOSED_ARRAYS = '['.repeat(100_000);
/** Two hundred thousand members. */
export const WIDE_OBJECT = `{${Array.from({ length: 200_000 }, (_, i) => `"k${String(i)}":0`).join(',')}}`;
export const WIDE_ARRAY = `[${'0,'.repeat(300_000)}0]`;
/** The same key many times. The last one should count. */
export const DUPLICATE_KEYS = `{${'"name":"a",'.repeat(50_000)}"name":"b"}`;
/** Wide nested arrays: copying them level by level is expensive. */
export const NESTED_WIDE = nestedWide(6);
/** Escapes take six bytes per character. */
export const ESCAPED_TEXT = `{"name":"${'\\u0061'.repeat(200_000)}"}`;

function nestedWide(levels: number): string {
  return levels === 0
    ? '0'
    : `[${Array<string>(8)
        .fill(nestedWide(levels - 1))
        .join(',')}]`;
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

/* Numbers, in JSON and in queries. */

/** JavaScript parses it as Infinity. */
export const BEYOND_DOUBLE = '1e400';
/** JavaScript parses it as zero. */
export const BELOW_DOUBLE = '1e-400';
/** A hundred thousand digits: arithmetic on them takes superlinear time. */
export const HUNDRED_THOUSAND_DIGITS = '9'.repeat(100_000);
/** A few bytes that expand to a huge decimal. */
export const EXPONENT_BOMB = '1e999999999';
export const NEGATIVE_ZERO = '-0';
/** The first integer that JavaScript cannot represent, and the limits of PostgreSQL integers. */
export const BEYOND_SAFE = '9007199254740993';
export const BIGINT_MAX = '9223372036854775807';
export const BEYOND_BIGINT = '9223372036854775808';
export const BELOW_BIGINT = '-9223372036854775809';
export const BEYOND_INTEGER = '2147483648';
/** Not valid JSON. */
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

/** Half of a surrogate pair: not valid UTF-8, and `jsonb` rejects it. */
export const LONE_SURROGATE = 'a\ud800b';
export const REVERSED_SURROGATES = '\udc00\ud800';
/** Ends a C string, and PostgreSQL text cannot store it. */
export const NUL = 'a\u0000b';
/** Displayed in reverse. */
export const BIDI_OVERRIDE = 'user\u202egnp.exe';
/** They look the same, but are different strings. */
export const COMPOSED = 'caf\u00e9';
export const DECOMPOSED = 'cafe\u0301';
/** Invisible characters. */
export const ZERO_WIDTH = 'ad\u200bmin\ufeff';
/** Characters of four bytes, some of them joined into one sequence. */
export const FOUR_BYTES = '\u{1f469}\u200d\u{1f469}\u200d\u{1f467}\u200d\u{1f466}\u{20000}';
/** A letter with two thousand accents. */
export const ZALGO = 'e' + '\u0301'.repeat(2_000);
/** Changing the case changes the length. */
export const CASE_TRAPS = 'İıßſΣςﬃ';
/** JavaScript treats these as line ends. */
export const LINE_SEPARATORS = 'a\u2028b\u2029c\u0085d';
export const NONCHARACTER = '\uffff\ufffe\u{10ffff}';
export const CONTROLS = '\u0001\u001b[31m\u007f\u009b';

export const UNICODE = [
  ...[LONE_SURROGATE, REVERSED_SURROGATES, NUL, BIDI_OVERRIDE, COMPOSED, DECOMPOSED, ZERO_WIDTH, FOUR_BYTES],
  ...[ZALGO, CASE_TRAPS, LINE_SEPARATORS, NONCHARACTER, CONTROLS],
] as const;

/** Invalid UTF-8, for bodies and, percent-encoded, for paths: overlong, surrogate, truncated, Latin-1. */
export const INVALID_UTF8: Readonly<Record<string, readonly number[]>> = {
  OVERLONG_SLASH: [0xc0, 0xaf],
  OVERLONG_NUL: [0xc0, 0x80],
  ENCODED_SURROGATE: [0xed, 0xa0, 0x80],
  BEYOND_UNICODE: [0xf4, 0x90, 0x80, 0x80],
  CUT_OFF: [0xe2, 0x82],
  LATIN_1: [0xe9],
  STRAY: [0x80, 0xff],
};

/* Prototype pollution: names of properties of every JavaScript object. */

/** The property that every object would have if an attack succeeded. */
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

/* Injections into SQL, jsonpath, LIKE, printf, HTML, shells, logs. */

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

/* Regular expressions with catastrophic backtracking, and an input that causes it. */

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
/** Nearly matches the patterns. Thirty characters would be enough. */
export const NEARLY_MATCHING = `${'a'.repeat(50_000)}!`;

/* Long texts. */

export const LONG_TEXT = 'x'.repeat(70_000);

/** All texts, for any string. */
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

/** All values, for any JSON. */
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

/** Variants of an existing path. */
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

/** Raw queries. */
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

/* Headers. Node's client refuses control characters: other tests send those over a raw socket. */

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

/** Headers that proxies trust, but a service should not. */
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
