import { useInViewport } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { components } from '@muster/api-types';
import { api, unwrap } from '../../api/client';
import { jsonText } from '../../api/exact-json';
import { collectionOfKind } from '../../api/kinds';
import { useProjectId } from '../../app/use-project';
import { variableColumn } from '../../components/variable-column';
import { counted } from '../../components/counted';
import { DevicesByKind } from '../../components/devices-by-kind';
import { levelOf } from '../../components/level-mark';
import { ShareBar } from '../../components/share-bar';
import { EmptyState, ErrorAlert } from '../../components/states';
import { VariableKeyLink } from '../../components/variable-key-link';
import { VariableValue } from '../../components/variable-value';
import { exactConditionsFor } from '../../components/where-condition';
import classes from './inventory-effect.module.css';
import { deviceFilterOf, type InventoryItem } from './inventory-query';

/** The number of values that are shown for each key. */
const MAX_VALUES = 8;

interface Props {
  readonly kind: string;
  readonly item: InventoryItem;
  /** The own variables. */
  readonly variables: Readonly<Record<string, unknown>>;
}

/** What the own variables of a region, cell or label affect: how many of its devices resolve them, and where they are overridden. */
export function InventoryEffect({ kind, item, variables }: Props) {
  const keys = Object.keys(variables).toSorted();
  if (keys.length === 0)
    return (
      <EmptyState title="Nothing is affected">
        The {kind} sets no variables. Set one under &quot;Variables&quot;.
      </EmptyState>
    );
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">Key</th>
          <th scope="col">Devices of the {kind}</th>
          <th scope="col">What they resolve</th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <KeyRow key={key} kind={kind} item={item} name={key} value={variables[key]} />
        ))}
      </tbody>
    </table>
  );
}

interface KeyProps {
  readonly kind: string;
  readonly item: InventoryItem;
  readonly name: string;
  readonly value: unknown;
}

/** Read when the row is visible: counting takes time in large fleets. */
function KeyRow({ kind, item, name, value }: KeyProps) {
  const { ref, inViewport } = useInViewport<HTMLTableRowElement>();
  const project_id = useProjectId();
  const filter = deviceFilterOf(kind, item);
  const { data, error } = useQuery({
    // Belongs to the resource, so that it is not read again once that is deleted.
    queryKey: [collectionOfKind(kind), item.id, 'variable-values', project_id, name, filter],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/v1/variable-keys/{key}/values', {
          params: {
            path: { key: name },
            // A list of devices has one kind.
            query: { ...filter, project_id, limit: MAX_VALUES, group_by: 'kind' },
          },
          signal,
        }),
      ),
    enabled: inViewport,
  });
  return (
    <tr ref={ref}>
      <th scope="row" className={classes.key}>
        <VariableKeyLink name={name} />
      </th>
      <td>{data && <Summary data={data} value={value} />}</td>
      <td>
        {error && <ErrorAlert error={error} />}
        {data ? <Values data={data} kind={kind} item={item} name={name} value={value} /> : !error && '…'}
      </td>
    </tr>
  );
}

type Distribution = components['schemas']['VariableValues'];

const isSame = (a: unknown, b: unknown): boolean => jsonText(a) === jsonText(b);

/** How many devices resolve another value than the level sets: a narrower level overrides it. */
function Summary({
  data: { devices, values, distinct },
  value,
}: {
  readonly data: Distribution;
  readonly value: unknown;
}) {
  const own = values.find((one) => isSame(one.value, value));
  if (devices === 0) return <>no devices</>;
  if (!own && distinct > values.length) return <>{devices.toLocaleString()}, most override it</>;
  const overriding = devices - (own?.devices ?? 0);
  return (
    <>
      {overriding === 0
        ? devices === 1
          ? '1 resolves it'
          : `all ${devices.toLocaleString()} resolve it`
        : `${overriding.toLocaleString()} of ${devices.toLocaleString()} ${overriding === 1 ? 'overrides' : 'override'} it`}
    </>
  );
}

interface ValuesProps extends KeyProps {
  readonly data: Distribution;
}

/** The values that the devices resolve, the most frequent one first. Each number leads to its devices. */
function Values({ data, kind, item, name, value: own }: ValuesProps) {
  const filter = deviceFilterOf(kind, item);
  const hidden = data.distinct - data.values.length;
  return (
    <ul className={classes.values}>
      {data.values.map(({ value, devices }) => (
        <li key={jsonText(value)}>
          <ShareBar
            part={devices}
            total={data.devices}
            {...(isSame(value, own) ? { level: levelOf(kind) } : {})}
          />
          <span className={classes.count}>
            <DevicesLinks name={name} value={value} filter={filter} devices={devices} all={data} />
          </span>
          <VariableValue value={value} />
        </li>
      ))}
      {hidden > 0 && <li>{counted(hidden, 'more value')}</li>}
    </ul>
  );
}

interface LinkProps {
  readonly name: string;
  readonly value: unknown;
  readonly filter: ReturnType<typeof deviceFilterOf>;
  readonly devices: number;
  readonly all: Distribution;
}

/** A number of devices that resolve a value, with links to them if filters can express it. */
function DevicesLinks({ name, value, filter, devices, all }: LinkProps) {
  const where = exactConditionsFor(name, value, all);
  const counts = (all.groups ?? []).map(({ kind = '', values }) => ({
    kind,
    devices: values.find((one) => isSame(one.value, value))?.devices ?? 0,
  }));
  // Only the most frequent values of each kind were read.
  const isComplete = counts.reduce((sum, count) => sum + count.devices, 0) === devices;
  if (!where || !isComplete) return devices.toLocaleString();
  const columns = ['name', 'region_id', 'cell_id', 'labels', variableColumn(name)];
  return <DevicesByKind counts={counts} search={{ ...filter, columns, where: [...where] }} />;
}
