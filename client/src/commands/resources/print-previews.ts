import { asObject } from '../../api/exact-json';
import { resources } from '../../api/resources';
import {
  describeTypeChanges,
  jsonText,
  memberChanges,
  readImpact,
  typeRemark,
  variableChanges,
  type MemberChange,
} from '../impact-preview';
import { referencesOf, type Reference } from './columns';
import type { Session } from '../session';
import { ReferenceNames } from '../../lookup/reference-names';
import { pluralize, printStatus } from '../../output/console';
import { printList, printOne, type OutputFormat } from '../../output/formats';
import type { Row } from '../../output/rows';

/**
 * Prints the results of dry runs: the changes of each object, and of the resolved variables of devices.
 * @param previews response bodies
 */
export async function printPreviews(session: Session, previews: readonly Row[]): Promise<void> {
  await printChanges(session, previews);
  printStatus('Dry run: nothing was written.', ...previews.flatMap(previewLines));
}

/** Prints the changes of each object, and of the resolved variables of devices. */
export async function printChanges(session: Session, previews: readonly Row[]): Promise<void> {
  const { format } = session;
  const [only, ...others] = previews;
  if (format !== 'table' && format !== 'csv' && format !== 'name')
    return only && others.length === 0
      ? printOne(format, only, 'change')
      : printList(format, previews, { names: ['change', 'impact'], name: 'change' });
  const toRow = format === 'table' ? await changeRowsWithNames(session, previews) : changeRow;
  const rows = previews.flatMap((preview) => [
    ...objectMemberChanges(preview).map(toRow),
    ...impactRows(format, preview),
  ]);
  if (rows.length === 0) return;
  await printList(format, rows, { names: ['what', 'member', 'before', 'after'], name: 'what' });
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
    devices === 0
      ? 'No device would resolve another value.'
      : `${pluralize(devices, 'device')} would resolve other values of ${keys.join(', ')}${omitted > 0 ? `; showing the first ${String(devices - omitted)}` : ''}.`,
  ];
}

const changedObjects = (preview: Row): Row[] =>
  (asObject(preview['change'])['objects'] as unknown[]).map(asObject);

/** Whether a member or a variable of an object would change. */
const hasChanges = (preview: Row): boolean =>
  objectMemberChanges(preview).length > 0 ||
  changedObjects(preview).some(({ variables }) => Object.keys(asObject(variables ?? {})).length > 0);

/** A changed member of an object. */
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

/** Rows for people: with the names of referenced resources. */
async function changeRowsWithNames(
  { muster, project }: Session,
  previews: readonly Row[],
): Promise<(changes: ObjectMemberChange) => Row> {
  const names = new ReferenceNames(muster, project);
  const changes = previews.flatMap(objectMemberChanges);
  for (const one of changes) {
    const reference = findReference(one);
    if (reference) await names.load(reference.kind, [one.before, one.after]);
  }
  return (one) => {
    const reference = findReference(one);
    if (!reference) return changeRow(one);
    const nameOf = (id: unknown) => (id === null || id === undefined ? id : names.nameOf(reference.kind, id));
    return changeRow({
      ...one,
      member: reference.column,
      before: nameOf(one.before),
      after: nameOf(one.after),
    });
  };
}

function findReference({ kind, member }: ObjectMemberChange): Reference | undefined {
  const resource = resources.find((one) => one.kind === kind);
  return resource && referencesOf(resource).find((one) => one.member === member);
}

/** The changed members of updated and created objects. Deleted objects have none. */
function objectMemberChanges(preview: Row): ObjectMemberChange[] {
  return changedObjects(preview).flatMap(({ kind, name, before, after }) =>
    after === null || after === undefined
      ? []
      : memberChanges(before, after).map((one) => ({ kind: String(kind), name: String(name), ...one })),
  );
}

/** The changes of resolved variables of devices. A table marks a change of the type. */
const impactRows = (format: OutputFormat, preview: Row): Row[] =>
  variableChanges(readImpact(preview['impact']).items).map(({ kind, name, key, before, after }) => ({
    what: `${kind} ${name}`,
    member: `variables.${key}`,
    before: jsonText(before),
    after: `${jsonText(after)}${format === 'table' ? typeRemark(before, after) : ''}`,
  }));
