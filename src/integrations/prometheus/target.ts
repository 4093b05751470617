import { isIPv6 } from 'node:net';
import { isPort, type ScrapeQuery } from './scrape-query';

/** A Muster label as the name and value of a Prometheus label. */
export interface LabelPair {
  readonly name: string;
  readonly value: string;
}

/** The value of a label without a `key:value` form. */
const DEFAULT_VALUE = 'true';

/** Splits a label `key:value`. Any other label becomes a name with the value `true`. */
export function splitLabel(label: string): LabelPair {
  const colon = label.indexOf(':');
  return colon > 0 && colon < label.length - 1
    ? { name: label.slice(0, colon), value: label.slice(colon + 1) }
    : { name: label, value: DEFAULT_VALUE };
}

/** The columns of a host that its target uses. */
export interface ScrapedHost {
  readonly [column: string]: unknown;
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
  readonly region: string;
  readonly cell: string | null;
  readonly device_type: string;
  readonly ip_address: string;
  readonly labels: readonly string[];
}

/** The properties that all targets of a response share. */
export interface ScrapedProject {
  readonly id: string;
  readonly name: string;
  /** The suffixes of Prometheus labels by the names of Muster labels. */
  readonly labelNames: ReadonlyMap<string, string>;
  /** The suffixes of Prometheus labels by the keys of variables. */
  readonly variableNames: ReadonlyMap<string, string>;
}

/** Returns the value of a variable as JSON text; undefined if it is not set. */
type ValueOf = (key: string) => string | undefined;

/** Why a host is not a target: it is not configured to be scraped, or the variable with this key is invalid. */
export type SkippedTarget = 'not scraped' | { readonly invalidKey: string };

class InvalidVariableError extends Error {
  constructor(readonly key: string) {
    super(`the value of ${key} is invalid`);
  }
}

const META = '__meta_muster_';

/** Renders the target of a host as JSON text, or returns why it has none. */
export function renderTarget(
  host: ScrapedHost,
  project: ScrapedProject,
  query: ScrapeQuery,
  readValue: ValueOf,
): { readonly entry: string } | SkippedTarget {
  // The value null counts as not set.
  const valueOf: ValueOf = (key) => {
    const text = readValue(key);
    return text === 'null' ? undefined : text;
  };
  try {
    if (!isScraped(query.keys.scrape_variable, valueOf)) return 'not scraped';
    const ports = parsePorts(query, valueOf);
    if (ports.length === 0) return 'not scraped';
    const address = isIPv6(host.ip_address) ? `[${host.ip_address}]` : host.ip_address;
    const targets = ports.map((port) => `${address}:${String(port)}`);
    const labels = { ...metaLabels(host, project, query, valueOf), ...scrapeSettings(query, valueOf) };
    return { entry: JSON.stringify({ targets, labels }) };
  } catch (error) {
    if (error instanceof InvalidVariableError) return { invalidKey: error.key };
    throw error;
  }
}

function isScraped(key: string, valueOf: ValueOf): boolean {
  const value = valueOf(key);
  if (value === undefined || value === 'true' || value === '"true"') return true;
  if (value === 'false' || value === '"false"') return false;
  throw new InvalidVariableError(key);
}

function parsePorts(
  { keys: { port_variable: key }, port: defaultPort }: ScrapeQuery,
  valueOf: ValueOf,
): number[] {
  const text = valueOf(key);
  if (text === undefined) return defaultPort === undefined ? [] : [defaultPort];
  const value: unknown = JSON.parse(text);
  const ports = (Array.isArray(value) ? value : [value]).map((item: unknown) => {
    const port = typeof item === 'string' && /^\d{1,5}$/.test(item) ? Number(item) : item;
    if (typeof port !== 'number' || !isPort(port)) throw new InvalidVariableError(key);
    return port;
  });
  return [...new Set(ports)];
}

/** The settings of the host. They override those of the scrape job. */
function scrapeSettings({ keys }: ScrapeQuery, valueOf: ValueOf): Record<string, string> {
  const scheme = parseText(keys.scheme_variable, valueOf, /^https?$/);
  const path = parseText(keys.path_variable, valueOf, /^\//);
  return {
    ...(scheme === undefined ? {} : { __scheme__: scheme }),
    ...(path === undefined ? {} : { __metrics_path__: path }),
  };
}

function parseText(key: string, valueOf: ValueOf, pattern: RegExp): string | undefined {
  const text = valueOf(key);
  if (text === undefined) return undefined;
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'string' || !pattern.test(value)) throw new InvalidVariableError(key);
  return value;
}

function metaLabels(
  host: ScrapedHost,
  project: ScrapedProject,
  { labelVariables }: ScrapeQuery,
  valueOf: ValueOf,
): Record<string, string> {
  const own = {
    project: project.id,
    project_name: project.name,
    region: host.region,
    ...(host.cell === null ? {} : { cell: host.cell }),
    name: host.name,
    device_type: host.device_type,
    ip_address: host.ip_address,
    id: String(host.id),
    uuid: host.uuid,
    ...(host.labels.length === 0 ? {} : { labels: `,${host.labels.join(',')},` }),
  };
  const labels = new Map<string, string>();
  for (const [name, value] of Object.entries(own)) labels.set(`${META}${name}`, value);
  for (const [name, values] of labelValues(host, project))
    labels.set(`${META}label_${name}`, values.join(','));
  for (const key of labelVariables) {
    const text = valueOf(key);
    if (text !== undefined)
      labels.set(`${META}variable_${prometheusName(project.variableNames, key)}`, labelValue(text));
  }
  return Object.fromEntries(labels);
}

/** The values of the labels of a host by their Prometheus names. Several labels can have the same key. */
function labelValues({ labels }: ScrapedHost, { labelNames }: ScrapedProject): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const { name, value } of labels.map(splitLabel)) {
    const label = prometheusName(labelNames, name);
    values.set(label, [...(values.get(label) ?? []), value]);
  }
  return values;
}

/** A string as plain text; any other value as JSON, with every digit. */
const labelValue = (text: string): string => (text.startsWith('"') ? (JSON.parse(text) as string) : text);

function prometheusName(names: ReadonlyMap<string, string>, name: string): string {
  const label = names.get(name);
  if (label === undefined) throw new Error('a label has no Prometheus name');
  return label;
}

/** The prefix of escaped names in the escaping scheme of Prometheus. */
const ESCAPED_PREFIX = 'U__';

const sanitize = (name: string): string => name.replace(/[^A-Za-z0-9_]/gu, '_');

/** Escapes a name without collisions, by the `values` escaping scheme of Prometheus. */
function escapeName(name: string): string {
  const encoded = name.replace(/[^A-Za-z0-9]/gu, (character) =>
    character === '_' ? '__' : `_${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}_`,
  );
  return `${ESCAPED_PREFIX}${encoded}`;
}

/**
 * Converts names into valid suffixes of Prometheus label names. Invalid characters become `_`. Names that would collide
 * are escaped instead.
 */
export function metaLabelNames(names: Iterable<string>): ReadonlyMap<string, string> {
  const distinct = [...new Set(names)];
  const counts = new Map<string, number>();
  for (const name of distinct) counts.set(sanitize(name), (counts.get(sanitize(name)) ?? 0) + 1);
  return new Map(
    distinct.map((name) => {
      const sanitized = sanitize(name);
      const isAmbiguous = counts.get(sanitized) !== 1 || sanitized.startsWith(ESCAPED_PREFIX);
      return [name, isAmbiguous ? escapeName(name) : sanitized];
    }),
  );
}
