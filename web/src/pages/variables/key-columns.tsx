import type { components } from '@muster/api-types';
import { deviceCollections, kindTitle, type DeviceCollection } from '../../api/kinds';
import { LevelMark, type Level } from '../../components/level-mark';
import { RouteLink } from '../../components/resource-link';
import type { Column } from '../../components/resource-table';

/** A key of a list. Its id is its marker. */
export type KeyRow = components['schemas']['VariableKeyListItem'] & {
  readonly id: string;
  readonly key: string;
};

const count = new Intl.NumberFormat();

/** Of a header, in pixels. */
const WIDTH_OF_LETTER = 10;

/** The number of resources that set a key; nothing for 0, so that the others stand out. */
const settings = (
  member: 'regions' | 'cells' | 'labels' | DeviceCollection,
  level: Level,
): Column<KeyRow> => ({
  id: member,
  header: <LevelMark level={level}>{kindTitle(member)}</LevelMark>,
  width: Math.max(100, WIDTH_OF_LETTER * member.length),
  isNumeric: true,
  render: ({ [member]: number = 0 }) => <span>{number === 0 ? '' : count.format(number)}</span>,
});

export const keyColumns: readonly Column<KeyRow>[] = [
  {
    id: 'key',
    header: 'Key',
    width: 200,
    isSticky: true,
    render: ({ key }) => (
      <RouteLink to="/variables/$key" params={{ key }} size="sm" ff="monospace">
        {key}
      </RouteLink>
    ),
  },
  settings('regions', 'region'),
  settings('cells', 'cell'),
  settings('labels', 'label'),
  ...deviceCollections.map((collection) => settings(collection, 'device')),
  {
    id: 'resolved_by',
    header: 'Devices that have it',
    width: 130,
    isNumeric: true,
    render: ({ resolved_by = 0 }) => <span>{count.format(resolved_by)}</span>,
  },
];
