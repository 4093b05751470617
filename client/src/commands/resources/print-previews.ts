import { asObject, exactJson } from '../../api/exact-json';
import { resources } from '../../api/resources';
import {
  ruleLines,
  describeTypeChanges,
  jsonText,
  objectChanges,
  readImpact,
  typeRemark,
  variableChanges,
  type MemberChange,
} from '../impact-preview';
import { referencesOf, type Reference } from './columns';
import type { Session } from '../session';
import { ReferenceNames } from '../../lookup/reference-names';
import { printStatus } from '../../output/console';
import { pluralize } from '../../text';
import { printList, printOne } from '../../output/formats';
import type { Row } from '../../output/rows';

/**
 * Prints the results of dry runs: the changes of each object, and of the resolved variables of devices.
 * @param previews response bodies
 */
export async function printPreviews(session: Session, previews: readonly Row[]): Promise<void> {
  await printChanges(session, previews);
  printStatus('Dry run: nothing was written.', ...previews.flatMap(previewLines));
}

/** Prints the changed members and variables of each object, and the resolved variables of devices. */
export async function printChanges(session: Session, previews: readonly Row[]): Promise<void> {
  const { format } = session;
  const [only, ...others] = previews;
  if (format === 'table' || format === 'csv' || format === 'name')
    await printRows(session, previews.flatMap(shownChanges), previews);
  else if (only && others.length === 0) await printOne(format, only, 'change');
  else await printList(format, previews, { names: ['change', 'impact'], name: 'change' });
}

async function printRows(
  session: Session,
  changes: readonly ObjectMemberChange[],
  previews: readonly Row[],
): Promise<void> {
  const { format } = session;
  const rows =
    format === 'table' ? await changeRowsWithNames(session, changes, previews) : changes.map(changeRow);
  if (rows.length === 0) return;
  await printList(format, rows, { names: ['what', 'member', 'before', 'after'], name: 'what' });
}

/** Prints the members and variables that a write changes on resources themselves. @param preview of a dry run */
export async function printWrites(session: Session, preview: Row): Promise<void> {
  await printRows(session, writtenChanges(preview), [preview]);
}

/** Status lines: the action on each object, and the number of affected devices. */
function previewLines(preview: Row): string[] {
  const { devices, keys, items } = readImpact(preview['impact']);
  const omitted = devices - items.length;
  const objects = changedObjects(preview).filter(
    ({ action }) => action !== 'update' || devices > 0 || hasChanges(preview),
  );
  if (objects.length === 0) return ['Nothing would change.'];
  return [
    ...objects.map(({ action, kind, name }) => `It would ${String(action)} ${String(kind)} ${String(name)}.`),
    ...describeTypeChanges(preview['change']),
    ...ruleLines(preview),
    devices === 0
      ? 'No device would resolve another value.'
      : `${pluralize(devices, 'device')} would resolve other values of ${keys.join(', ')}${omitted > 0 ? `; showing the first ${String(devices - omitted)}` : ''}.`,
  ];
}

const changedObjects = (preview: Row): Row[] =>
  (asObject(preview['change'])['objects'] as unknown[]).map(asObject);

/** Whether a member or a variable of an object would change. */
const hasChanges = (preview: Row): boolean =>
  changedObjects(preview).some((object) => objectChanges(object).length > 0);

/** A changed member or variable of an object. */
interface ObjectMemberChange extends MemberChange {
  readonly kind: string;
  readonly name: string;
}

const changeRow = ({ kind, name, member, before, after }: ObjectMemberChange): Row => ({
  what: `${kind} ${name}`,
  member,
  before: jsonText(before),
  after: jsonText(after),
});

/** Rows for people: with the names of referenced resources, and a mark where the type of a value changes. */
async function changeRowsWithNames(
  { muster, project }: Session,
  changes: readonly ObjectMemberChange[],
  previews: readonly Row[],
): Promise<Row[]> {
  const names = new ReferenceNames(muster, project);
  const created = previews.flatMap(changedObjects).filter(({ action }) => action === 'create');
  for (const object of created) setNewName(names, object);
  for (const one of changes) {
    const reference = findReference(one);
    if (reference) await names.load(reference.kind, [one.before, one.after]);
  }
  return changes.map((one) => {
    const { before, after } = one;
    const reference = findReference(one);
    if (!reference) return { ...changeRow(one), after: `${jsonText(after)}${typeRemark(before, after)}` };
    const nameOf = (id: unknown) => (id === null || id === undefined ? id : names.nameOf(reference.kind, id));
    const row = changeRow({ ...one, member: reference.column, before: nameOf(before), after: nameOf(after) });
    const isNew = created.some((object) => refersTo(reference, after, object));
    return isNew ? { ...row, after: `${String(row['after'])} (new)` } : row;
  });
}

/** The kinds of references to a resource. */
const kindsOf = ({ kind }: Row): string[] =>
  resources.some((one) => one.kind === kind && one.isDevice) ? [String(kind), 'device'] : [String(kind)];

const idOf = ({ after }: Row): unknown => asObject(after)['id'];

/** Sets the name of a resource that the same write creates: its id does not exist yet. */
function setNewName(names: ReferenceNames, object: Row): void {
  for (const kind of kindsOf(object)) names.setName(kind, idOf(object), object['name']);
}

const refersTo = ({ kind }: Reference, id: unknown, object: Row): boolean =>
  kindsOf(object).includes(kind) && exactJson.stringify(id) === exactJson.stringify(idOf(object));

function findReference({ kind, member }: ObjectMemberChange): Reference | undefined {
  const resource = resources.find((one) => one.kind === kind);
  return resource && referencesOf(resource).find((one) => one.member === member);
}

/** What would be written, and the resolved variables of devices, which take the place of variables of their own. */
function shownChanges(preview: Row): ObjectMemberChange[] {
  const resolved = resolvedChanges(preview);
  const identify = ({ kind, name, member }: ObjectMemberChange): string =>
    JSON.stringify([kind, name, member]);
  const shown = new Set(resolved.map(identify));
  return [...writtenChanges(preview).filter((one) => !shown.has(identify(one))), ...resolved];
}

/** The changed members and variables of updated and created objects. Deleted objects have none. */
const writtenChanges = (preview: Row): ObjectMemberChange[] =>
  changedObjects(preview)
    .filter(({ action }) => action !== 'delete')
    .flatMap((object) =>
      objectChanges(object).map((one) => ({
        kind: String(object['kind']),
        name: String(object['name']),
        ...one,
      })),
    );

/** The changes of resolved variables of devices. */
const resolvedChanges = (preview: Row): ObjectMemberChange[] =>
  variableChanges(readImpact(preview['impact']).items).map(({ key, ...one }) => ({
    ...one,
    member: `variables.${key}`,
  }));
