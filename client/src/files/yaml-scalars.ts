/** The versions of YAML. They read some values without quotes differently. */
export const YAML_VERSIONS = ['1.1', '1.2'] as const;
export type YamlVersion = (typeof YAML_VERSIONS)[number];

/** What a plain scalar, which is a value without quotes, means in a version of YAML. */
export interface ScalarReading {
  /** `date` and `special number` (infinity, not a number) are not in JSON. A parser refuses what is `invalid`. */
  readonly type: 'text' | 'null' | 'boolean' | 'number' | 'date' | 'special number' | 'invalid';
  /** The value as JSON, with every digit; empty for what JSON does not have. */
  readonly json: string;
}

const NULL: ScalarReading = { type: 'null', json: 'null' };
const TRUE: ScalarReading = { type: 'boolean', json: 'true' };
const FALSE: ScalarReading = { type: 'boolean', json: 'false' };
const DATE: ScalarReading = { type: 'date', json: '' };
const SPECIAL: ScalarReading = { type: 'special number', json: '' };
const INVALID: ScalarReading = { type: 'invalid', json: '' };

type Rule = readonly [RegExp, ScalarReading | ((text: string) => ScalarReading)];

const NULLS: Rule = [/^(?:~|null|Null|NULL)?$/, NULL];
const SPECIALS: Rule = [/^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/, SPECIAL];

/** The core schema of YAML 1.2. */
const RULES_1_2: readonly Rule[] = [
  NULLS,
  [/^(?:true|True|TRUE)$/, TRUE],
  [/^(?:false|False|FALSE)$/, FALSE],
  [/^0o[0-7]+$/, integer],
  [/^0x[0-9a-fA-F]+$/, integer],
  [/^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/, decimal],
  SPECIALS,
];

/**
 * YAML 1.1 as PyYAML reads it, and so Ansible and Salt. The specification takes `y` and `n` for booleans; PyYAML reads texts.
 * The schema "yaml-1.1" of the package `yaml` takes `00:11:22:33:44:55`, `089` and `1e3` for numbers; PyYAML reads texts.
 */
const RULES_1_1: readonly Rule[] = [
  NULLS,
  [/^(?:yes|Yes|YES|true|True|TRUE|on|On|ON)$/, TRUE],
  [/^(?:no|No|NO|false|False|FALSE|off|Off|OFF)$/, FALSE],
  [/^[-+]?0[bx]_+$/, INVALID],
  [/^[-+]?0b[01_]+$/, integer],
  [/^[-+]?0x[0-9a-fA-F_]+$/, integer],
  [/^[-+]?0[0-7_]+$/, octal],
  [/^[-+]?(?:0|[1-9][0-9_]*)$/, decimal],
  [/^[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+$/, sexagesimal],
  [/^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*$/, sexagesimal],
  [/^[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?$/, decimal],
  [/^\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?$/, decimal],
  SPECIALS,
  [/^\d{4}-\d\d-\d\d$/, DATE],
  [/^\d{4}-\d\d?-\d\d?(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d\d?(?::\d\d)?))?$/, DATE],
  // `=` stands for a default value. `<<` is a merge key, which is not valid as a value.
  [/^(?:=|<<)$/, INVALID],
];

const RULES: Readonly<Record<YamlVersion, readonly Rule[]>> = { '1.1': RULES_1_1, '1.2': RULES_1_2 };

/** Reads a plain scalar. */
export function readScalar(text: string, version: YamlVersion): ScalarReading {
  const rule = RULES[version].find(([pattern]) => pattern.test(text));
  if (!rule) return { type: 'text', json: JSON.stringify(text) };
  const [, reading] = rule;
  return typeof reading === 'function' ? reading(text) : reading;
}

/** The tags whose values are read as plain scalars, even in quotes, with the JSON that each allows. */
export const SCALAR_TAGS: ReadonlyMap<string, RegExp> = new Map([
  ['tag:yaml.org,2002:null', /^null$/],
  ['tag:yaml.org,2002:bool', /^(?:true|false)$/],
  ['tag:yaml.org,2002:int', /^-?\d+$/],
  ['tag:yaml.org,2002:float', /^-?\d/],
]);

/** These tags for the parser: their values stay texts. */
export const SCALAR_TAG_RESOLVERS = [...SCALAR_TAGS.keys()].map((tag) => ({
  tag,
  resolve: (text: string) => text,
}));

/** Reads a scalar. @param tag one of `SCALAR_TAGS`; undefined: it is plain */
export const readScalarAs = (text: string, version: YamlVersion, tag: string | undefined): ScalarReading =>
  tag === undefined ? readScalar(text, version) : readTaggedScalar(text, version, tag);

export const isSameReading = (a: ScalarReading, b: ScalarReading): boolean =>
  a.type === b.type && a.json === b.json;

/** Says that both versions read a scalar differently. */
export const ambiguityText = (text: string, in11: ScalarReading, in12: ScalarReading): string =>
  `${text} is ${readingText(in11)} in YAML 1.1, and ${readingText(in12)} in YAML 1.2`;

function readTaggedScalar(text: string, version: YamlVersion, tag: string): ScalarReading {
  const reading = readScalar(text, version);
  const isAllowed = reading.type === 'special number' || SCALAR_TAGS.get(tag)?.test(reading.json);
  return isAllowed ? reading : INVALID;
}

/** A reading in a message: `493`, `"yes"`, `a date`. */
const readingText = ({ type, json }: ScalarReading): string =>
  json !== '' ? json : type === 'invalid' ? 'invalid' : `a ${type}`;

/** The parts of a YAML number that JSON writes differently: `+.5`, `5.`, `007.5`. */
const DECIMAL = /^(?:\+|(-))?0*(\d*)\.?(\d*)([eE][+-]?\d+)?$/;

/** A decimal number, in the notation of JSON. */
function decimal(text: string): ScalarReading {
  const [, sign = '', whole = '', fraction = '', exponent = ''] =
    DECIMAL.exec(text.replaceAll('_', '')) ?? [];
  const json = `${sign}${whole === '' ? '0' : whole}${fraction === '' ? '' : `.${fraction}`}${exponent}`;
  return { type: 'number', json };
}

/** An integer with the prefix of its base. */
function integer(text: string): ScalarReading {
  const [, sign = '', digits = ''] = /^(?:\+|(-))?(.*)$/.exec(text.replaceAll('_', '')) ?? [];
  return { type: 'number', json: `${sign}${String(BigInt(digits))}` };
}

/** An octal number of YAML 1.1: `0755`. */
function octal(text: string): ScalarReading {
  return integer(text.replace('0', '0o0'));
}

/** A number of YAML 1.1 to the base of 60: `12:30:45`, `1:30.5`. */
function sexagesimal(text: string): ScalarReading {
  const [, sign = '', whole = '', fraction = ''] =
    /^(?:\+|(-))?([\d:]*)\.?(\d*)$/.exec(text.replaceAll('_', '')) ?? [];
  const value = whole.split(':').reduce((sum, part) => sum * 60n + BigInt(part), 0n);
  return { type: 'number', json: `${sign}${String(value)}${fraction === '' ? '' : `.${fraction}`}` };
}
