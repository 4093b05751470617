import { Anchor, Button, Text } from '@mantine/core';
import { MagicWandIcon } from '@radix-ui/react-icons';
import { useLocations } from '../../api/locations';
import { counted } from '../../components/counted';
import { LevelLink } from '../../components/level-link';
import { LevelMark } from '../../components/level-mark';
import { ResourceLink } from '../../components/resource-link';
import tableClasses from '../../components/small-table.module.css';
import { VariableValue } from '../../components/variable-value';
import { type FailureSource, sourceId } from './failure-source';
import type { Remediation } from './remediation';

interface Props {
  readonly sources: readonly FailureSource[];
  /** The number of failing devices that have been read, if these are not all. */
  readonly firstDevices: number | undefined;
  /** The source whose devices are shown; undefined: those of all. */
  readonly shown: string | undefined;
  readonly onShow: (id: string | undefined) => void;
  readonly onRemediate: (remediation: Remediation) => void;
}

/** Where wrong values are set: a region, cell or label is corrected once for its devices; own values of devices are counted together. */
export function FailureSources({ sources, firstDevices, shown, onShow, onRemediate }: Props) {
  if (sources.length === 0) return null;
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
          {sources.map((source) => {
            const id = sourceId(source);
            const { key, devices } = source;
            return (
              <tr key={id}>
                <td data-header="Set on">
                  {source.type === 'level' ? (
                    <LevelLink {...source.source} />
                  ) : (
                    <LevelMark level="device">{counted(devices.length, 'device')}, own value</LevelMark>
                  )}
                </td>
                <td data-header="Variable">
                  <ResourceLink kind="variable-key" id={null} name={key} />
                </td>
                <td data-header="Actual value">
                  <ActualValue source={source} />
                </td>
                <td data-header="Devices that fail" className={tableClasses.number}>
                  <Anchor
                    component="button"
                    type="button"
                    size="sm"
                    aria-pressed={id === shown}
                    title={id === shown ? 'Show all devices that fail below' : 'Show only these below'}
                    onClick={() => {
                      onShow(id === shown ? undefined : id);
                    }}
                  >
                    {devices.length.toLocaleString()}
                  </Anchor>
                </td>
                <td data-header="Actions">
                  <RemediateButton source={source} onRemediate={onRemediate} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {firstDevices !== undefined && (
        <Text size="sm">Of the first {counted(firstDevices, 'device')} that fail.</Text>
      )}
    </>
  );
}

function ActualValue({ source }: { readonly source: FailureSource }) {
  const values = source.type === 'own' ? source.values : [source.value];
  return values.length === 1 ? (
    <VariableValue value={values[0]} name={source.key} />
  ) : (
    <Text size="sm">{counted(values.length, 'value')}</Text>
  );
}

interface RemediateProps extends Pick<Props, 'onRemediate'> {
  readonly source: FailureSource;
}

function RemediateButton({ source, onRemediate }: RemediateProps) {
  const { cellTitle } = useLocations();
  const { key } = source;
  if (source.type === 'own')
    return (
      <Remediate
        label={`Remediate all own values of ${key}`}
        text="Remediate all…"
        onClick={() => {
          onRemediate({ kind: 'own', key });
        }}
      />
    );
  const { kind, id, name } = source.source;
  return (
    <Remediate
      label={`Remediate on ${kind} ${name}`}
      text="Remediate"
      onClick={() => {
        const level = { kind, id, name: kind === 'cell' ? cellTitle(id, name) : name };
        onRemediate({ kind: 'level', level, key });
      }}
    />
  );
}

interface ButtonProps {
  readonly label: string;
  readonly text: string;
  readonly onClick: () => void;
}

const Remediate = ({ label, text, onClick }: ButtonProps) => (
  <Button
    variant="default"
    size="compact-sm"
    leftSection={<MagicWandIcon aria-hidden />}
    aria-label={label}
    onClick={onClick}
  >
    {text}
  </Button>
);
