import { Text } from '@mantine/core';
import type { ImpactDifference } from '../../api/proposals';
import { counted } from '../../components/counted';
import { hasLevel, LevelMark, levelOf } from '../../components/level-mark';
import { LabelChange } from '../../components/label-change';
import { PreviewContext, previewOf } from '../../components/preview-context';
import { ResourceLink } from '../../components/resource-link';
import tableClasses from '../../components/small-table.module.css';
import { ValueChange } from '../../components/value-change';
import { VariableKeyLink } from '../../components/variable-key-link';
import classes from './difference.module.css';

type Item = ImpactDifference['items'][number];

/** What a proposal would do now, where that is not what was approved. */
export function Difference({ difference }: { readonly difference: ImpactDifference }) {
  const { came, went, other, items, resources } = difference;
  const devices = came + went + other;
  return (
    <PreviewContext value={previewOf()}>
      <ul className={classes.counts} aria-label="What is different">
        {came > 0 && (
          <li>{counted(came, 'device')} would change now, and would not have when it was approved.</li>
        )}
        {went > 0 && <li>{counted(went, 'device')} would not change any more.</li>}
        {other > 0 && <li>{counted(other, 'device')} would change in another way.</li>}
        {resources.length > 0 && (
          <li>{counted(resources.length, 'value')} of resources would be written differently.</li>
        )}
      </ul>
      <div className={classes.scroller} tabIndex={0} role="region" aria-label="Differences">
        <table className={tableClasses.table}>
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col">Value</th>
              <th scope="col">Approved</th>
              <th scope="col">Now</th>
            </tr>
          </thead>
          <tbody>
            {resources.map(({ kind, id, name, field, approved, now }) => (
              <Row key={`${kind}/${id}/${field}`} {...{ kind, id, name, field, approved, now }} isMember />
            ))}
            {items.flatMap((item) =>
              keysOf(item).map((key) => (
                <Row
                  key={`${item.kind}/${item.id}/${key}`}
                  kind={item.kind}
                  id={item.id}
                  name={item.name}
                  field={key}
                  approved={item.approved?.[key]}
                  now={item.now?.[key]}
                />
              )),
            )}
          </tbody>
        </table>
      </div>
      {devices > items.length && <Text size="sm">And {counted(devices - items.length, 'more device')}.</Text>}
    </PreviewContext>
  );
}

const keysOf = ({ approved, now }: Item): string[] => Object.keys({ ...approved, ...now });

interface RowProps {
  /** None of a device that does not exist any more. */
  readonly kind: string | null;
  /** None of a resource that the proposal creates. */
  readonly id: number | null;
  readonly name: string | null;
  readonly field: string;
  /** Whether the field may be a member of a resource; otherwise it is a variable. */
  readonly isMember?: boolean;
  /** A change, or nothing if it does not change. */
  readonly approved: unknown;
  readonly now: unknown;
}

function Row({ kind, id, name, field, isMember = false, approved, now }: RowProps) {
  return (
    <tr>
      <td data-header="What">
        <What kind={kind} id={id} name={name} />
      </td>
      <td data-header="Value">
        <code>{isMember ? field : <VariableKeyLink name={field} />}</code>
        <Text size="xs" c="dimmed">
          {isMember ? 'of the resource itself' : 'what the device resolves'}
        </Text>
      </td>
      <td data-header="Approved">
        <Change field={field} isMember={isMember} change={approved} />
      </td>
      <td data-header="Now">
        <Change field={field} isMember={isMember} change={now} />
      </td>
    </tr>
  );
}

function Change({
  field,
  isMember,
  change,
}: Required<Pick<RowProps, 'field' | 'isMember'>> & { readonly change: unknown }) {
  if (!change) return 'no change';
  if (isMember) return field === 'labels' ? <LabelChange change={change} /> : <ValueChange change={change} />;
  return <ValueChange change={change} name={field} />;
}

function What({ kind, id, name }: Pick<RowProps, 'kind' | 'id' | 'name'>) {
  if (kind === null) return `device ${id} (deleted)`;
  const text = name ?? String(id);
  const link = id === null ? `${text} (new)` : <ResourceLink kind={kind} id={id} name={text} />;
  return hasLevel(kind) ? <LevelMark level={levelOf(kind)}>{link}</LevelMark> : link;
}
