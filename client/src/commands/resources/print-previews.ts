import { ReferenceNames } from '../../lookup/reference-names';
import { resources } from '../../api/resources';
import { counted, say } from '../../output/console';
import { asObject, exactJson } from '../../api/exact-json';
import { printList, printOne, type Row } from '../../output/formats';
import { alterationsOf, type AlteredMember, alteredMembers, impactOf } from '../dry-run';
import type { Session } from '../session';
import { referencesOf, type Reference } from './columns';

/**
 * Prints what dry runs have answered: what would become of each thing, and of the variables of devices.
 * @param previews as the API has them
 */
export async function printPreviews(session: Session, previews: readonly Row[]): Promise<void> {
  await printChanges(session, previews);
  say('A dry run: nothing is written.', ...previews.flatMap(linesOf));
}

async function printChanges(session: Session, previews: readonly Row[]): Promise<void> {
  const { format } = session;
  const [only, ...others] = previews;
  if (format !== 'table' && format !== 'csv' && format !== 'name')
    return only && others.length === 0
      ? printOne(format, only, { names: Object.keys(only), name: 'change' })
      : printList(format, each(previews), { names: ['change', 'impact'], name: 'change' });
  const named = format === 'table' ? await withReferences(session, previews) : asTheyAre;
  const rows = previews.flatMap((preview) => [...changedMembers(preview).map(named), ...impactRows(preview)]);
  if (rows.length === 0) return;
  await printList(format, each(rows), { names: ['what', 'member', 'before', 'after'], name: 'what' });
}

async function* each(rows: readonly Row[]): AsyncGenerator<Row> {
  for (const row of rows) yield await Promise.resolve(row);
}

/** What would be done, and how many devices would notice. */
function linesOf(preview: Row): string[] {
  const { devices, keys, items } = impactOf(preview['impact']);
  const more = devices - items.length;
  const objects = objectsOf(preview).filter(
    ({ action }) => action !== 'update' || devices > 0 || hasOther(preview),
  );
  if (objects.length === 0) return ['It would change nothing: everything is so already.'];
  return [
    ...objects.map(({ action, kind, name }) => `It would ${String(action)} ${String(kind)} ${String(name)}.`),
    devices === 0
      ? 'No device would get other variables.'
      : `${counted(devices, 'device')} would get other values of ${keys.join(', ')}${more > 0 ? `; the first ${String(devices - more)} are shown` : ''}.`,
  ];
}

const objectsOf = (preview: Row): Row[] =>
  (asObject(preview['change'])['objects'] as unknown[]).map(asObject);

/** Whether a member would be another one, or a variable of its own. */
const hasOther = (preview: Row): boolean =>
  changedMembers(preview).length > 0 ||
  objectsOf(preview).some(({ variables }) => Object.keys(asObject(variables ?? {})).length > 0);

/** A member that would be another one. */
interface ChangedMember extends AlteredMember {
  readonly kind: string;
  readonly name: string;
}

const asTheyAre = ({ kind, name, member, before, after }: ChangedMember): Row => ({
  what: `${kind} ${name}`,
  member,
  before: textOf(before),
  after: textOf(after),
});

/** The same for people, who know what is referred to by its name. */
async function withReferences(
  { muster, project }: Session,
  previews: readonly Row[],
): Promise<(changed: ChangedMember) => Row> {
  const names = new ReferenceNames(muster, project);
  const changed = previews.flatMap(changedMembers);
  for (const one of changed) {
    const reference = referenceOf(one);
    if (reference) await names.load(reference.kind, [one.before, one.after]);
  }
  return (one) => {
    const reference = referenceOf(one);
    if (!reference) return asTheyAre(one);
    const nameOf = (id: unknown) => (id === null || id === undefined ? id : names.of(reference.kind, id));
    return asTheyAre({
      ...one,
      member: reference.column,
      before: nameOf(one.before),
      after: nameOf(one.after),
    });
  };
}

function referenceOf({ kind, member }: ChangedMember): Reference | undefined {
  const resource = resources.find((one) => one.kind === kind);
  return resource && referencesOf(resource).find((one) => one.member === member);
}

/** Of what is changed, or comes into being: the members that would be other ones. What goes, goes whole. */
function changedMembers(preview: Row): ChangedMember[] {
  return objectsOf(preview).flatMap(({ kind, name, before, after }) =>
    after === null || after === undefined
      ? []
      : alteredMembers(before, after).map((one) => ({ kind: String(kind), name: String(name), ...one })),
  );
}

/** Of devices: the variables that would resolve to something else. */
const impactRows = (preview: Row): Row[] =>
  alterationsOf(impactOf(preview['impact']).items).map(({ kind, name, key, before, after }) => ({
    what: `${kind} ${name}`,
    member: `variables.${key}`,
    before: textOf(before),
    after: textOf(after),
  }));

/** As JSON, so that a text, `null` and nothing at all can be told apart. */
const textOf = (value: unknown): string => (value === undefined ? '' : exactJson.stringify(value));
