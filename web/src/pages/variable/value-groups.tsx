import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { components } from '@muster/api-types';
import { jsonText } from '../../api/exact-json';
import { NO_ID } from '../../app/search-params';
import { useProjectId } from '../../app/use-project';
import { LevelLink } from '../../components/level-link';
import { LevelMark } from '../../components/level-mark';
import { RouteLink } from '../../components/resource-link';
import { ErrorState, LoadingState } from '../../components/states';
import { devicesWith, devicesWithout, valuesQuery } from '../../components/value-distribution';
import { VariableValue } from '../../components/variable-value';
import type { CountedValues } from '../../components/where-condition';
import { NoDevice } from './no-device';
import classes from './variable-page.module.css';
import { GROUPS, type VariableSearch } from './variable-search';

type Group = components['schemas']['GroupDistribution'];

/** The most frequent values have a column each. */
const MAX_COLUMNS = 6;
/** A quarter of the devices is much disagreement: it has the full colour. */
const SHADING = 4;
/** Groups, and values of each, that are read. */
const MAX_READ = 200;
const count = new Intl.NumberFormat();
const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 });

const TITLES = { region: 'Region', cell: 'Cell', label: 'Label' } as const;

interface Props {
  readonly name: string;
  readonly search: VariableSearch;
  readonly onChange: (changed: VariableSearch) => void;
}

/** Regions, cells or labels by values: where devices agree, and where they do not. */
export function ValueGroups({ name, search, onChange }: Props) {
  const { group_by = 'region' } = search;
  const project_id = useProjectId();
  const { data, error, refetch } = useQuery(valuesQuery(project_id, name, search, MAX_READ, { group_by }));
  if (error && !data) return <ErrorState error={error} what="the values" onRetry={() => void refetch()} />;
  if (!data) return <LoadingState what="the values" />;
  const columns = data.values.slice(0, MAX_COLUMNS).map(({ value }) => value);
  return (
    <>
      <SegmentedControl
        my="sm"
        aria-label="Group by"
        value={group_by}
        data={GROUPS.map((value) => ({ value, label: TITLES[value] }))}
        onChange={(value) => {
          onChange({ group_by: GROUPS.find((known) => known === value) });
        }}
      />
      {columns.length === 0 ? (
        <NoDevice search={search} />
      ) : (
        <div className={classes.scroller} tabIndex={0} role="region" aria-label="Values by group">
          <table className={classes.matrix}>
            <thead>
              <tr>
                <th scope="col">{TITLES[group_by]}</th>
                <th scope="col" title="Devices without the most frequent value of the group">
                  Differ
                </th>
                {columns.map((value) => (
                  <th key={jsonText(value)} scope="col">
                    <DevicesLink to={devicesWith(name, value, data, search)}>
                      <VariableValue value={value} isBrief />
                    </DevicesLink>
                  </th>
                ))}
                <th scope="col">Other values</th>
                <th scope="col">Not set</th>
              </tr>
            </thead>
            <tbody>
              {data.groups?.map((group) => (
                <GroupRow
                  key={groupOf(group)?.id ?? 0}
                  group={group}
                  columns={columns}
                  all={data}
                  name={name}
                  search={search}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}

/** The region, cell or label of a group; undefined for the devices in no cell. */
const groupOf = ({ region, cell, label }: Group) => region ?? label ?? cell ?? undefined;

/** The filter that selects the devices of a group, with those of the page. The group of the devices in no cell is null. */
function filterOf({ region, cell, label }: Group, search: VariableSearch): VariableSearch | undefined {
  if (region) return { region_id: [region.id] };
  if (cell !== undefined) return { cell_id: [cell?.id ?? NO_ID] };
  return label && { label: [...new Set([...(search.label ?? []), label.name])] };
}

interface RowProps {
  readonly group: Group;
  readonly columns: readonly unknown[];
  /** The values of all groups. */
  readonly all: CountedValues;
  readonly name: string;
  readonly search: VariableSearch;
}

/** The region, cell or label of a group, which leads to its page. */
const GroupTitle = ({ group }: Pick<RowProps, 'group'>) => {
  const level = groupOf(group);
  const kind = group.region ? 'region' : group.label ? 'label' : 'cell';
  return level ? <LevelLink kind={kind} {...level} /> : <LevelMark level={kind}>no cell</LevelMark>;
};

function GroupRow({ group, columns, all, name, search }: RowProps) {
  const { devices, without, values } = group;
  const numbers = new Map(values.map(({ value, devices: number }) => [jsonText(value), number]));
  const shown = columns.map((value) => numbers.get(jsonText(value)) ?? 0);
  const others = devices - without - shown.reduce((sum, number) => sum + number, 0);
  const differing = (devices - Math.max(without, ...numbers.values())) / devices;
  const filter = filterOf(group, search);
  return (
    <tr>
      <th scope="row">
        <GroupTitle group={group} />
      </th>
      <td className={classes.differ} style={{ '--share': percent.format(Math.min(1, differing * SHADING)) }}>
        {percent.format(differing)}
      </td>
      {columns.map((value, i) => (
        <Share key={jsonText(value)} number={shown[i] ?? 0} devices={devices}>
          {filter && (
            <DevicesLink to={devicesWith(name, value, all, search, filter)}>
              {count.format(shown[i] ?? 0)}
            </DevicesLink>
          )}
        </Share>
      ))}
      <Share number={others} devices={devices} />
      <Share number={without} devices={devices}>
        {filter && (
          <DevicesLink to={devicesWithout(name, search, filter)}>{count.format(without)}</DevicesLink>
        )}
      </Share>
    </tr>
  );
}

interface ShareProps {
  readonly number: number;
  readonly devices: number;
  /** Instead of the number. */
  readonly children?: ReactNode;
}

/** A number of devices, shaded by its share of the group. */
const Share = ({ number, devices, children }: ShareProps) => (
  <td className={classes.share} style={{ '--share': `${(number / devices) * 100}%` }}>
    {number === 0 ? '' : (children ?? count.format(number))}
  </td>
);

interface LinkProps {
  /** Undefined if no filter can express it. */
  readonly to: ReturnType<typeof devicesWith>;
  readonly children: ReactNode;
}

const DevicesLink = ({ to, children }: LinkProps) =>
  to ? (
    <RouteLink {...to} size="sm">
      {children}
    </RouteLink>
  ) : (
    children
  );
