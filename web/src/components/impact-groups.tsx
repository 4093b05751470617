import { Button, Text } from '@mantine/core';
import clsx from 'clsx';
import { useDisclosure } from '@mantine/hooks';
import type { components } from '@muster/api-types';
import { useContext, type ReactNode } from 'react';
import { unknownName, useLocations } from '../api/locations';
import { counted } from './counted';
import classes from './impact-list.module.css';
import { VariableKeyLink } from './variable-key-link';
import { LevelMark } from './level-mark';
import { createdIn, PreviewContext } from './preview-context';
import { ResourceLink } from './resource-link';
import tableClasses from './small-table.module.css';
import { ValueChange } from './value-change';

export type ImpactGroup = components['schemas']['ImpactGroup'];

/** So many groups, and regions of a group, are shown before one asks for all. */
const FIRST_GROUPS = 12;
const FIRST_REGIONS = 4;

const count = new Intl.NumberFormat();

interface Props {
  readonly groups: readonly ImpactGroup[];
  /** The number of all groups, of which the largest were read. */
  readonly total: number;
  /** Shows the number of devices as a link to them; without it, it is a text. */
  readonly linkDevices?: ((group: ImpactGroup, number: string) => ReactNode) | undefined;
}

/** How many devices get which value instead of which, and where: the groups of a variable together. */
export function ImpactGroups({ groups, total, linkDevices = (_, number) => number }: Props) {
  const [showsAll, { open }] = useDisclosure(false);
  const sorted = byVariable(groups);
  const shown = showsAll ? sorted : sorted.slice(0, FIRST_GROUPS);
  const others = total - groups.length;
  return (
    <>
      <table className={tableClasses.table} aria-label="Impact by variable and value">
        <thead>
          <tr>
            <th scope="col" className={clsx(tableClasses.number, classes.devices)}>
              Devices
            </th>
            <th scope="col">Variable</th>
            <th scope="col">What they resolve</th>
            <th scope="col">Regions</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((group, i) => (
            <tr key={i}>
              <td data-header="Devices" className={tableClasses.number}>
                {linkDevices(group, count.format(group.devices))} ×
              </td>
              <td data-header="Variable">
                <VariableKeyLink name={group.key} />
              </td>
              <td data-header="Resolve">
                <ValueChange change={group} name={group.key} />
                {group.overriding > 0 && (
                  <Text size="xs" c="dimmed">
                    {counted(
                      group.overriding,
                      'keeps the value of a narrower level',
                      'keep the value of a narrower level',
                    )}
                  </Text>
                )}
              </td>
              <td data-header="Regions">
                <Regions {...group} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length < sorted.length && (
        <Button variant="subtle" onClick={open}>
          Show {counted(sorted.length - shown.length, 'smaller group')} more
        </Button>
      )}
      {(showsAll || shown.length === sorted.length) && others > 0 && (
        <Text size="sm">And {counted(others, 'smaller group')}.</Text>
      )}
    </>
  );
}

/** The groups of a variable follow each other: the variable with the largest group first. */
function byVariable(groups: readonly ImpactGroup[]): readonly ImpactGroup[] {
  const ofKeys = new Map<string, ImpactGroup[]>();
  for (const group of groups) ofKeys.set(group.key, [...(ofKeys.get(group.key) ?? []), group]);
  return [...ofKeys.values()].flat();
}

function Regions({ regions, regions_total }: Pick<ImpactGroup, 'regions' | 'regions_total'>) {
  const { regionName } = useLocations();
  const preview = useContext(PreviewContext);
  const isNew = (id: number): boolean => preview !== undefined && regionName(id) === unknownName(id);
  const shown = regions.slice(0, FIRST_REGIONS);
  return (
    <ul className={classes.regions}>
      {shown.map(({ id, devices }) => (
        <li key={id}>
          <LevelMark level="region">
            {isNew(id) ? (
              (createdIn(preview, 'region', id)?.name ?? 'a new region')
            ) : (
              <ResourceLink kind="region" id={id} name={regionName(id)} />
            )}
          </LevelMark>
          {regions_total > 1 && ` ${count.format(devices)}`}
        </li>
      ))}
      {regions_total > shown.length && <li>and {counted(regions_total - shown.length, 'more region')}</li>}
    </ul>
  );
}
