import { isScalar } from '../../../api/exact-json';
import { partOf, type VariablePath } from '../../../components/variable-path';

type Steps = VariablePath['steps'];
/** A value that may not be set. */
export type Part = { readonly value: unknown } | undefined;

/** Whether a document can have a part: everything that leads to it is there. */
export function canHavePart(document: Part, steps: Steps): boolean {
  if (steps.length === 0) return true;
  const parent = document && partOf(document.value, steps.slice(0, -1));
  const last = steps.at(-1);
  if (!parent || isScalar(parent.value)) return false;
  return Array.isArray(parent.value)
    ? typeof last === 'number' && last < parent.value.length
    : typeof last === 'string';
}

/** A copy of a document with another part, which it can have. @param part undefined: the member or item is removed */
export function withPart(document: unknown, steps: Steps, part: Part): Part {
  const [step, ...others] = steps;
  if (step === undefined) return part;
  if (Array.isArray(document)) {
    const items: readonly unknown[] = document;
    return {
      value: items.flatMap((item, i) => (i === step ? partsOf(withPart(item, others, part)) : [item])),
    };
  }
  const members = new Map(Object.entries(Object(document) as Readonly<Record<string, unknown>>));
  const changed = withPart(members.get(String(step)), others, part);
  if (changed) members.set(String(step), changed.value);
  else members.delete(String(step));
  return { value: Object.fromEntries(members) };
}

const partsOf = (part: Part): unknown[] => (part ? [part.value] : []);
