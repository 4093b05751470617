import clsx from 'clsx';
import { Checkbox, Group, NativeSelect, TextInput } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type Locations, useLocations } from '../../api/locations';
import { defaultKind, kindOfCollection, kindTitle, kindWords } from '../../api/kinds';
import { send } from '../../api/request';
import { LabelPills } from '../../components/label-pills';
import { LevelMark, levelOf } from '../../components/level-mark';
import { MemberReference, referringMember } from '../../components/member-references';
import { memberTitle } from '../../components/member-title';
import { PageTitle } from '../../components/page-title';
import { ResourceLink } from '../../components/resource-link';
import tableClasses from '../../components/small-table.module.css';
import { EmptyState, ErrorState, LoadingState } from '../../components/states';
import { dateOf } from '../../components/date-of';
import { localTime, TimeStamp } from '../../components/time-stamp';
import { VariableValue } from '../../components/variable-value';
import {
  type ComparedCollection,
  comparedKinds,
  type ComparedRow,
  compareSides,
  type Side,
} from './compared';
import classes from './compare-page.module.css';
import { SidePicker } from './side-picker';

const route = getRouteApi('/signed-in/compare');

/** Two resources side by side, or one at two moments. */
export function ComparePage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { collection = defaultKind.collection, left, right, left_at, right_at } = search;
  const kind = kindOfCollection(collection) ?? collection;
  const change = (changed: Partial<typeof search>, replace = false) =>
    void navigate({ search: (former) => ({ ...former, ...changed }), replace });
  return (
    <>
      <PageTitle title="Compare" />
      <Group gap="md" align="start" pb="sm">
        <NativeSelect
          label="Compare"
          value={collection}
          data={comparedKinds.map((kind) => ({ value: kind.collection, label: kindTitle(kind.collection) }))}
          onChange={(event) => {
            const chosen = comparedKinds.find((kind) => kind.collection === event.currentTarget.value);
            change({ collection: chosen?.collection, left: undefined, right: undefined });
          }}
        />
        <SidePicker
          key={`left ${collection} ${String(left)} ${left_at ?? ''}`}
          title={`First ${kindWords(kind)}`}
          collection={collection}
          id={left}
          at={left_at}
          onChange={(id, at) => {
            change({ left: id, left_at: at });
          }}
        />
        <SidePicker
          key={`right ${collection} ${String(right)} ${right_at ?? ''}`}
          title={`Second ${kindWords(kind)}`}
          collection={collection}
          id={right}
          at={right_at}
          onChange={(id, at) => {
            change({ right: id, right_at: at });
          }}
        />
      </Group>
      {left === undefined || right === undefined ? (
        <EmptyState title="Choose what to compare">
          Choose two of them, or the same twice at two moments.
        </EmptyState>
      ) : (
        <Comparison
          collection={collection}
          left={{ id: left, at: left_at }}
          right={{ id: right, at: right_at }}
        />
      )}
    </>
  );
}

/** A resource at a moment; without one, now. */
interface Moment {
  readonly id: number;
  readonly at: string | undefined;
}

const sideQuery = (collection: ComparedCollection, { id, at }: Moment) =>
  queryOptions({
    queryKey: [collection, id, 'compared', at ?? null],
    queryFn: async ({ signal }): Promise<Side> => {
      const { body } = await send(
        { method: 'GET', path: `/v1/${collection}/${String(id)}`, query: at === undefined ? {} : { at } },
        signal,
      );
      const members = body as Side['members'];
      return { members, variables: (members['variables'] ?? {}) as Side['variables'] };
    },
  });

interface ComparisonProps {
  readonly collection: ComparedCollection;
  readonly left: Moment;
  readonly right: Moment;
}

function Comparison({ collection, left, right }: ComparisonProps) {
  const { all = false, key = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const locations = useLocations();
  const one = useQuery(sideQuery(collection, left));
  const other = useQuery(sideQuery(collection, right));
  const error = one.error ?? other.error;
  if (error && !(one.data && other.data))
    return (
      <ErrorState
        error={error}
        what="the comparison"
        onRetry={() => void Promise.all([one.refetch(), other.refetch()])}
      />
    );
  if (!one.data || !other.data) return <LoadingState what="the comparison" />;
  const rows = compareSides(one.data, other.data);
  const titleOf = (moment: Moment, { members }: Side) =>
    `${nameOf(collection, moment.id, members, locations)}, ${momentText(moment)}`;
  const shown = rows.filter(
    ({ name, isEqual }) => (all || !isEqual) && name.toLowerCase().includes(key.toLowerCase()),
  );
  const equal = rows.filter(({ isEqual }) => isEqual).length;
  return (
    <>
      <Group gap="md" pb="xs">
        <TextInput
          aria-label="Filter by key"
          placeholder="Filter by key"
          value={key}
          onChange={(event) => {
            const { value } = event.currentTarget;
            const changed = { key: value === '' ? undefined : value };
            void navigate({ search: (former) => ({ ...former, ...changed }), replace: true });
          }}
        />
        <Checkbox
          label={`Also the ${String(equal)} that are equal`}
          checked={all}
          onChange={(event) => {
            const changed = { all: event.currentTarget.checked || undefined };
            void navigate({ search: (former) => ({ ...former, ...changed }), replace: true });
          }}
        />
      </Group>
      {shown.length === 0 ? (
        <EmptyState title={key === '' ? 'No differences' : 'No key matches'}>
          {key === '' ? 'All members and variables are equal.' : 'Change the filter above.'}
        </EmptyState>
      ) : (
        <table className={clsx(tableClasses.table, classes.comparison)} aria-label="Comparison">
          <thead>
            <tr>
              <th scope="col">Key</th>
              <th scope="col">
                <SideTitle collection={collection} moment={left} side={one.data} />
              </th>
              <th scope="col">
                <SideTitle collection={collection} moment={right} side={other.data} />
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={`${String(row.isVariable)} ${row.name}`}>
                <td data-header="Key">{row.isVariable ? <code>{row.name}</code> : memberTitle(row.name)}</td>
                <td data-header={titleOf(left, one.data)}>
                  <Value row={row} value={row.left} />
                </td>
                <td data-header={titleOf(right, other.data)}>
                  <Value row={row} value={row.right} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

/** The name of a side, as it was then. */
function nameOf(
  collection: ComparedCollection,
  id: number,
  members: Side['members'],
  { cellTitle }: Pick<Locations, 'cellTitle'>,
): string {
  const own = members['name'] ?? members['label'];
  const name = typeof own === 'string' ? own : `#${String(id)}`;
  return collection === 'cells' ? cellTitle(id, name) : name;
}

const momentText = ({ at }: Moment): string => (at === undefined ? 'now' : localTime.format(dateOf(at)));

interface SideTitleProps {
  readonly collection: ComparedCollection;
  readonly moment: Moment;
  readonly side: Side;
}

function SideTitle({ collection, moment: { id, at }, side: { members } }: SideTitleProps) {
  const locations = useLocations();
  const kind = kindOfCollection(collection) ?? collection;
  return (
    <>
      <LevelMark level={levelOf(kind)}>
        <ResourceLink kind={kind} id={id} name={nameOf(collection, id, members, locations)} />
      </LevelMark>{' '}
      {at === undefined ? 'now' : <TimeStamp time={at} />}
    </>
  );
}

function Value({ row, value }: { readonly row: ComparedRow; readonly value: unknown }) {
  if (value === undefined) return <em>not set</em>;
  if (row.isVariable) return <VariableValue value={value} name={row.name} />;
  if (value === null || value === '') return <em>none</em>;
  const reference = referringMember(row.name);
  if (reference && typeof value === 'number') return <MemberReference member={reference} id={value} />;
  if (row.name === 'labels' && typeof value === 'string') return <LabelPills labels={value} />;
  return typeof value === 'string' ? value : <VariableValue value={value} />;
}
