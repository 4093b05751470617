import { Button, Text } from '@mantine/core';
import { MagicWandIcon } from '@radix-ui/react-icons';
import type { Failure } from '../../api/audits';
import { jsonText } from '../../api/exact-json';
import { useLocations } from '../../api/locations';
import { counted } from '../../components/counted';
import { LevelLink } from '../../components/level-link';
import { LevelMark, levelOf } from '../../components/level-mark';
import { ResourceLink, RouteLink } from '../../components/resource-link';
import tableClasses from '../../components/small-table.module.css';
import { VariableValue } from '../../components/variable-value';
import type { Remediation } from './remediation';

interface FailureSource {
  readonly source: NonNullable<Failure['source']>;
  readonly key: string;
  readonly value: unknown;
  devices: number;
}

interface Props {
  /** The failing devices that have been read. */
  readonly failures: readonly Failure[];
  /** Whether these are all. */
  readonly isComplete: boolean;
  readonly onRemediate: (remediation: Remediation) => void;
}

/** Where wrong values are set: a region, cell or label is corrected once for its devices; own values of devices are counted together. */
export function FailureSources({ failures, isComplete, onRemediate }: Props) {
  const { cellTitle } = useLocations();
  const sources = sourcesOf(failures);
  const ownValues = ownValuesOf(failures);
  if (sources.length + ownValues.length === 0) return null;
  return (
    <>
      <table className={tableClasses.table} aria-label="Where the wrong values are set">
        <thead>
          <tr>
            <th scope="col">Set on</th>
            <th scope="col">Variable</th>
            <th scope="col">Actual value</th>
            <th scope="col" className={tableClasses.number}>
              Devices that fail
            </th>
            <th scope="col">Actions</th>
          </tr>
        </thead>
        <tbody>
          {sources.map(({ source, key, value, devices }) => (
            <tr key={`${source.kind}/${source.id}/${key}`}>
              <td data-header="Set on">
                <LevelLink {...source} />
              </td>
              <td data-header="Variable">
                <ResourceLink kind="variable-key" id={null} name={key} />
              </td>
              <td data-header="Actual value">
                <VariableValue value={value} name={key} />
              </td>
              <td data-header="Devices that fail" className={tableClasses.number}>
                {devices.toLocaleString()}
              </td>
              <td data-header="Actions">
                <Button
                  variant="default"
                  size="compact-sm"
                  leftSection={<MagicWandIcon aria-hidden />}
                  aria-label={`Remediate on ${source.kind} ${source.name}`}
                  onClick={() => {
                    const { kind, id, name } = source;
                    const level = { kind, id, name: kind === 'cell' ? cellTitle(id, name) : name };
                    onRemediate({ kind: 'level', level, key });
                  }}
                >
                  Remediate
                </Button>
              </td>
            </tr>
          ))}
          {ownValues.map(({ key, values, devices }) => (
            <tr key={key}>
              <td data-header="Set on">
                <LevelMark level="device">
                  <RouteLink to="/variables/$key" params={{ key }} search={{ tab: 'assignments' }} size="sm">
                    {counted(devices, 'device')}, own value
                  </RouteLink>
                </LevelMark>
              </td>
              <td data-header="Variable">
                <ResourceLink kind="variable-key" id={null} name={key} />
              </td>
              <td data-header="Actual value">
                {values.size === 1 ? (
                  [...values].map(([text, value]) => <VariableValue key={text} value={value} name={key} />)
                ) : (
                  <Text size="sm">{counted(values.size, 'value')}</Text>
                )}
              </td>
              <td data-header="Devices that fail" className={tableClasses.number}>
                {devices.toLocaleString()}
              </td>
              <td data-header="Actions">
                <Button
                  variant="default"
                  size="compact-sm"
                  leftSection={<MagicWandIcon aria-hidden />}
                  aria-label={`Remediate all own values of ${key}`}
                  onClick={() => {
                    onRemediate({ kind: 'own', key });
                  }}
                >
                  Remediate all…
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {!isComplete && <Text size="sm">Of the first {counted(failures.length, 'device')} that fail.</Text>}
    </>
  );
}

/** The regions, cells and labels that set the values of failing devices, those of the most devices first. */
function sourcesOf(failures: readonly Failure[]): readonly FailureSource[] {
  const sources = new Map<string, FailureSource>();
  for (const { source, key, value } of failures) {
    if (!source || levelOf(source.kind) === 'device') continue;
    const id = `${source.kind}/${source.id}/${key}`;
    const found = sources.get(id) ?? { source, key, value, devices: 0 };
    found.devices++;
    sources.set(id, found);
  }
  return [...sources.values()].sort((a, b) => b.devices - a.devices);
}

/** The failing devices that set a key themselves, with the different values by their texts. */
interface OwnValues {
  readonly key: string;
  readonly values: Map<string, unknown>;
  devices: number;
}

function ownValuesOf(failures: readonly Failure[]): readonly OwnValues[] {
  const found = new Map<string, OwnValues>();
  for (const { source, key, value } of failures) {
    if (!source || levelOf(source.kind) !== 'device') continue;
    const own = found.get(key) ?? { key, values: new Map<string, unknown>(), devices: 0 };
    own.devices++;
    own.values.set(jsonText(value), value);
    found.set(key, own);
  }
  return [...found.values()].sort((a, b) => b.devices - a.devices);
}
