import { InventoryError } from '../../core/errors/inventory-error';
import type { QueryParameters } from '../../core/query-parameters';
import type { ListNames } from '../../list/list-query';
import { parseHostChoice, type HostChoice } from '../hosts/host-selection';
import { variableName } from '../variable-key-parameter';

/** The variables that say how a host is scraped, by the parameters that name others in their place. */
export const SCRAPE_VARIABLES = {
  port_variable: 'prometheus_port',
  scheme_variable: 'prometheus_scheme',
  path_variable: 'prometheus_path',
  scrape_variable: 'prometheus_scrape',
} as const;

type Parameter = keyof typeof SCRAPE_VARIABLES;

const PARAMETERS = Object.keys(SCRAPE_VARIABLES) as Parameter[];

const HIGHEST_PORT = 65_535;

/** What a request for targets says. */
export interface ScrapeQuery {
  readonly choice: HostChoice;
  /** The port of hosts whose variables name none; undefined: they are no targets. */
  readonly port: number | undefined;
  /** The keys of the variables that say how a host is scraped. */
  readonly keys: Readonly<Record<Parameter, string>>;
  /** The keys of the variables that become labels. */
  readonly shown: readonly string[];
}

const OTHERS: ListNames['others'] = [
  { name: 'port' },
  ...PARAMETERS.map((name) => ({ name })),
  { name: 'variable', repeatable: true },
];

/** Whether a number is a port. */
export const isPort = (value: number): boolean =>
  Number.isInteger(value) && value >= 1 && value <= HIGHEST_PORT;

/** Reads the query of a request for targets. @throws InventoryError 400 */
export function parseScrapeQuery(query: QueryParameters): ScrapeQuery {
  const { choice, others } = parseHostChoice(query, OTHERS);
  const keyOf = (parameter: Parameter) =>
    variableName(parameter, others.get(parameter)?.[0] ?? SCRAPE_VARIABLES[parameter]);
  return {
    choice,
    port: portOf(others.get('port')?.[0]),
    keys: {
      port_variable: keyOf('port_variable'),
      scheme_variable: keyOf('scheme_variable'),
      path_variable: keyOf('path_variable'),
      scrape_variable: keyOf('scrape_variable'),
    },
    shown: [...new Set((others.get('variable') ?? []).map((key) => variableName('variable', key)))],
  };
}

function portOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!isPort(port))
    throw InventoryError.invalid('port', `must be an integer from 1 to ${String(HIGHEST_PORT)}`);
  return port;
}
