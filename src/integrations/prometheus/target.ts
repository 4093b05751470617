import { isIPv6 } from 'node:net';
import { labelPair } from './label-pairs';
import { isPort, type ScrapeQuery } from './scrape-query';

/** A host, as far as its labels tell of it. */
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

/** What all targets of an answer have in common. */
export interface ScrapedProject {
  readonly id: string;
  readonly name: string;
  /** By the names, or the keys, of the labels of ours. */
  readonly labelNames: ReadonlyMap<string, string>;
  /** By the keys of the variables that are shown. */
  readonly variableNames: ReadonlyMap<string, string>;
}

/** What is asked for a variable's value: its JSON text, or undefined where it is not set. */
type ValueOf = (key: string) => string | undefined;

/** A host is no target: because it is not to be, or because a variable of it makes no sense. */
export type NoTarget = 'not scraped' | { readonly senseless: string };

/** Thrown at a variable whose value is of no use. */
class Senseless extends Error {
  constructor(readonly key: string) {
    super(`a value of ${key} makes no sense`);
  }
}

const META = '__meta_muster_';

/** A host's entry in the answer, as JSON text; or why it has none. */
export function targetOf(
  host: ScrapedHost,
  project: ScrapedProject,
  query: ScrapeQuery,
  given: ValueOf,
): { readonly entry: string } | NoTarget {
  // A variable that is null says nothing, as if it were not set.
  const valueOf: ValueOf = (key) => {
    const text = given(key);
    return text === 'null' ? undefined : text;
  };
  try {
    if (!isScraped(query.keys.scrape_variable, valueOf)) return 'not scraped';
    const ports = portsOf(query, valueOf);
    if (ports.length === 0) return 'not scraped';
    const address = isIPv6(host.ip_address) ? `[${host.ip_address}]` : host.ip_address;
    const targets = ports.map((port) => `${address}:${String(port)}`);
    const labels = { ...metaLabels(host, project, query, valueOf), ...settings(query, valueOf) };
    return { entry: JSON.stringify({ targets, labels }) };
  } catch (error) {
    if (error instanceof Senseless) return { senseless: error.key };
    throw error;
  }
}

function isScraped(key: string, valueOf: ValueOf): boolean {
  const value = valueOf(key);
  if (value === undefined || value === 'true' || value === '"true"') return true;
  if (value === 'false' || value === '"false"') return false;
  throw new Senseless(key);
}

function portsOf({ keys: { port_variable: key }, port: usual }: ScrapeQuery, valueOf: ValueOf): number[] {
  const text = valueOf(key);
  if (text === undefined) return usual === undefined ? [] : [usual];
  const value: unknown = JSON.parse(text);
  const ports = (Array.isArray(value) ? value : [value]).map((one: unknown) => {
    const port = typeof one === 'string' && /^\d{1,5}$/.test(one) ? Number(one) : one;
    if (typeof port !== 'number' || !isPort(port)) throw new Senseless(key);
    return port;
  });
  return [...new Set(ports)];
}

/** What the host says itself of how it is scraped; the rest is as the job says. */
function settings({ keys }: ScrapeQuery, valueOf: ValueOf): Record<string, string> {
  const scheme = textOf(keys.scheme_variable, valueOf, /^https?$/);
  const path = textOf(keys.path_variable, valueOf, /^\//);
  return {
    ...(scheme === undefined ? {} : { __scheme__: scheme }),
    ...(path === undefined ? {} : { __metrics_path__: path }),
  };
}

function textOf(key: string, valueOf: ValueOf, form: RegExp): string | undefined {
  const text = valueOf(key);
  if (text === undefined) return undefined;
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'string' || !form.test(value)) throw new Senseless(key);
  return value;
}

function metaLabels(
  host: ScrapedHost,
  project: ScrapedProject,
  { shown }: ScrapeQuery,
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
  for (const key of shown) {
    const text = valueOf(key);
    if (text !== undefined)
      labels.set(`${META}variable_${named(project.variableNames, key)}`, shownValue(text));
  }
  return Object.fromEntries(labels);
}

/** The values of a host's labels by the names that they have with Prometheus: a key may come with several. */
function labelValues({ labels }: ScrapedHost, { labelNames }: ScrapedProject): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const { name, value } of labels.map(labelPair)) {
    const label = named(labelNames, name);
    values.set(label, [...(values.get(label) ?? []), value]);
  }
  return values;
}

/** A text as it is; every other value as JSON, with every digit. */
const shownValue = (text: string): string => (text.startsWith('"') ? (JSON.parse(text) as string) : text);

function named(names: ReadonlyMap<string, string>, name: string): string {
  const label = names.get(name);
  if (label === undefined) throw new Error('a label has no name for Prometheus');
  return label;
}
