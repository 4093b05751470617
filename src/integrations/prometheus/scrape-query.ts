import { InventoryError } from '../../core/errors';
import type { QueryParameters } from '../../core/parameters';
import type { ListParameters } from '../../lists/list-query';
import { parseHostSelection, type HostSelection } from '../host-query.service';
import { parseVariableKey } from '../../lists/list-filter';

/** The default keys of the variables that configure scraping, by the parameters that override them. */
export const DEFAULT_SCRAPE_VARIABLES = {
  port_variable: 'prometheus_port',
  scheme_variable: 'prometheus_scheme',
  path_variable: 'prometheus_path',
  scrape_variable: 'prometheus_scrape',
} as const;

type Parameter = keyof typeof DEFAULT_SCRAPE_VARIABLES;

const PARAMETERS = Object.keys(DEFAULT_SCRAPE_VARIABLES) as Parameter[];

const MAX_PORT = 65_535;

export interface ScrapeQuery {
  readonly selection: HostSelection;
  /** The port of hosts whose variables do not set one; undefined skips these hosts. */
  readonly port: number | undefined;
  /** The keys of the variables that configure scraping. */
  readonly keys: Readonly<Record<Parameter, string>>;
  /** The keys of the variables that become labels. */
  readonly labelVariables: readonly string[];
}

const OTHER_PARAMETERS: ListParameters['others'] = [
  { name: 'port' },
  ...PARAMETERS.map((name) => ({ name })),
  { name: 'variable', repeatable: true, joinable: true },
];

export const isPort = (value: number): boolean => Number.isInteger(value) && value >= 1 && value <= MAX_PORT;

/** @throws InventoryError 400 */
export function parseScrapeQuery(query: QueryParameters): ScrapeQuery {
  const { selection, others } = parseHostSelection(query, OTHER_PARAMETERS);
  const parseKey = (parameter: Parameter) =>
    parseVariableKey(parameter, others.get(parameter)?.[0] ?? DEFAULT_SCRAPE_VARIABLES[parameter]);
  return {
    selection,
    port: parsePort(others.get('port')?.[0]),
    keys: {
      port_variable: parseKey('port_variable'),
      scheme_variable: parseKey('scheme_variable'),
      path_variable: parseKey('path_variable'),
      scrape_variable: parseKey('scrape_variable'),
    },
    labelVariables: [
      ...new Set((others.get('variable') ?? []).map((key) => parseVariableKey('variable', key))),
    ],
  };
}

function parsePort(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!isPort(port)) throw InventoryError.invalid('port', `must be an integer from 1 to ${String(MAX_PORT)}`);
  return port;
}
