import type { components } from '@muster/api-types';
import { kindWords } from '../api/kinds';
import { useLocations, type Locations } from '../api/locations';
import { hasLevel, LevelMark, levelOf } from './level-mark';
import { ResourceLink } from './resource-link';

/** What a list shows of an object of a change. */
export interface SummarizedObject {
  readonly kind: string;
  readonly id: number | string;
  readonly name: string;
  /** The region, if the record has it: a deleted cell is not among the locations. */
  readonly region_id: number | undefined;
  readonly action: 'create' | 'update' | 'delete';
  /** The variables that changed. */
  readonly keys: readonly string[];
}

/** A change as lists keep it: not all of its objects with both sides. */
export interface SummarizedChange {
  readonly id: number;
  readonly created_at: string;
  readonly username: string;
  readonly reason: string | null;
  /** The number of devices that got another resolved value; null if it was not counted. */
  readonly devices: number | null;
  readonly object: SummarizedObject | undefined;
  readonly objects_total: number;
}

const count = new Intl.NumberFormat();

/** A change of a whole document may have hundreds. */
const MAX_KEYS = 5;

/** What the title of a changed object is made of. */
export const titledObject = ({ kind, id, name, before, after }: components['schemas']['ChangedObject']) => {
  const region: unknown = (after ?? before)?.['region_id'];
  return { kind, id, name, region_id: typeof region === 'number' ? region : undefined };
};

/** The settings of a project have no name: their id is that of the project. */
const SETTINGS = 'project-settings';

/** What stands before or after the title of an object, so that one knows what it is: `audit`. Empty for settings. */
export const kindOfTitle = (kind: string): string => (kind === SETTINGS ? '' : kindWords(kind));

/** The name of a changed object; that of a cell with its region, because cells of several regions have the same name. */
export const titleOf = (
  { kind, id, name, region_id }: Pick<SummarizedObject, 'kind' | 'id' | 'name' | 'region_id'>,
  { regionName, cellTitle }: Locations,
): string => {
  if (kind === SETTINGS) return 'Settings of the project';
  if (kind !== 'cell') return name;
  return region_id === undefined ? cellTitle(Number(id), name) : `${regionName(region_id)}/${name}`;
};

/** The members of a change that `summarizeChange` needs. */
export const SUMMARY_FIELDS = [
  'id',
  'created_at',
  'actor',
  'reason',
  'impact',
  'objects_total',
  'objects',
] as const;

/** Keeps of a change what a list shows. */
export function summarizeChange({
  id = 0,
  created_at = '',
  actor,
  reason = null,
  impact,
  objects_total = 0,
  objects: [object] = [],
}: components['schemas']['ChangeRecordListItem']): SummarizedChange {
  return {
    id,
    created_at,
    username: actor?.username ?? '',
    reason,
    devices: impact?.devices ?? null,
    objects_total,
    object: object && {
      ...titledObject(object),
      action: object.action,
      keys: Object.keys(object.variables),
    },
  };
}

const VERBS = { create: 'created', update: 'updated', delete: 'deleted' } as const;

/** What a change did, in one line: its first resource, the variables that changed, and the number of other resources. */
export function ChangeSummary({ change: { object, objects_total } }: { readonly change: SummarizedChange }) {
  const locations = useLocations();
  if (!object) return <span>nothing that you see</span>;
  const { kind, id, action, keys } = object;
  const name = titleOf(object, locations);
  const title =
    action === 'delete' ? name : <ResourceLink kind={kind} id={id} name={name} isInText={!hasLevel(kind)} />;
  const others = objects_total - 1;
  return (
    <span>
      {hasLevel(kind) ? (
        <LevelMark level={levelOf(kind)}>{title}</LevelMark>
      ) : (
        <>
          {kindOfTitle(kind)} {title}
        </>
      )}
      {others > 0 && ` and ${count.format(others)} more`}:{' '}
      {action === 'update' && keys.length > 0 ? <Keys keys={keys} /> : VERBS[action]}
    </span>
  );
}

const Keys = ({ keys }: { readonly keys: readonly string[] }) => (
  <>
    {keys.slice(0, MAX_KEYS).map((key, i) => (
      <code key={key}>
        {i > 0 && ', '}
        <ResourceLink kind="variable-key" id={null} name={key} isInText />
      </code>
    ))}
    {keys.length > MAX_KEYS && ` and ${count.format(keys.length - MAX_KEYS)} more`}
  </>
);
