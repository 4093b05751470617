import { Anchor, Button, Text } from '@mantine/core';
import { MagicWandIcon } from '@radix-ui/react-icons';
import { useLocations } from '../../api/locations';
import { counted } from '../../components/counted';
import { LevelLink } from '../../components/level-link';
import { LevelMark } from '../../components/level-mark';
import { ResourceLink } from '../../components/resource-link';
import tableClasses from '../../components/small-table.module.css';
import { VariableValue } from '../../components/variable-value';
import { type FailureGroup, groupId } from './failure-groups';
import type { Remediation } from './remediation';

interface Props {
  readonly groups: readonly FailureGroup[];
  /** The number of failing devices that have been read, if these are not all. */
  readonly firstDevices: number | undefined;
  /** The group whose devices are shown; undefined: those of all. */
  readonly shown: string | undefined;
  readonly onShow: (id: string | undefined) => void;
  readonly onRemediate: (remediation: Remediation) => void;
}

/** Where wrong values are set: a region, cell or label is corrected once for its devices; own values of devices are counted together. */
export function FailureGroupTable({ groups, firstDevices, shown, onShow, onRemediate }: Props) {
  if (groups.length === 0) return null;
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
          {groups.map((group) => {
            const id = groupId(group);
            const { key, devices } = group;
            return (
              <tr key={id}>
                <td data-header="Set on">
                  {group.type === 'level' ? (
                    <LevelLink {...group.level} />
                  ) : (
                    <LevelMark level="device">{counted(devices.length, 'device')}, own value</LevelMark>
                  )}
                </td>
                <td data-header="Variable">
                  <ResourceLink kind="variable-key" id={null} name={key} />
                </td>
                <td data-header="Actual value">
                  <ActualValue group={group} />
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
                  <RemediateButton group={group} onRemediate={onRemediate} />
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

function ActualValue({ group }: { readonly group: FailureGroup }) {
  const values = group.type === 'own' ? group.values : [group.value];
  return values.length === 1 ? (
    <VariableValue value={values[0]} name={group.key} />
  ) : (
    <Text size="sm">{counted(values.length, 'value')}</Text>
  );
}

interface RemediateProps extends Pick<Props, 'onRemediate'> {
  readonly group: FailureGroup;
}

function RemediateButton({ group, onRemediate }: RemediateProps) {
  const { cellTitle } = useLocations();
  const { key } = group;
  if (group.type === 'own')
    return (
      <Remediate
        label={`Remediate all own values of ${key}`}
        text="Remediate all…"
        onClick={() => {
          onRemediate({ kind: 'own', key });
        }}
      />
    );
  const { kind, id, name } = group.level;
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
