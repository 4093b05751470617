import { deviceKinds, inventoryKinds } from '@muster/api-types';
import { jsonText } from '../../api/exact-json';
import { hasVariables } from '../../api/kinds';

/** The kinds that can be compared: those with variables. */
export const comparedKinds = [...deviceKinds, ...inventoryKinds].filter(hasVariables);

/** Their collections. */
export const collections = comparedKinds.map(({ collection }) => collection);
export type ComparedCollection = (typeof collections)[number];

/** A resource at one moment: its members, and its resolved variables. */
export interface Side {
  readonly members: Readonly<Record<string, unknown>>;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Members that two resources, or two moments, always have different values of. */
const NOT_COMPARED = [
  'id',
  'uuid',
  'project_id',
  'version',
  'created_at',
  'updated_at',
  'links',
  'variables',
  'cells',
];

/** A member or a variable. Undefined: it is not set. */
export interface ComparedRow {
  readonly name: string;
  readonly isVariable: boolean;
  readonly left: unknown;
  readonly right: unknown;
  readonly isEqual: boolean;
}

/** The members and then the variables of both sides, each by name. */
export function compareSides(left: Side, right: Side): ComparedRow[] {
  const rowsOf = (of: keyof Side): ComparedRow[] =>
    [...new Set([...Object.keys(left[of]), ...Object.keys(right[of])])]
      .filter((name) => of === 'variables' || !NOT_COMPARED.includes(name))
      .toSorted()
      .map((name) => {
        const [one, other] = [valueOf(left[of], name), valueOf(right[of], name)];
        return {
          name,
          isVariable: of === 'variables',
          left: one,
          right: other,
          isEqual: textOf(one) === textOf(other),
        };
      });
  return [...rowsOf('members'), ...rowsOf('variables')];
}

const valueOf = (values: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(values, name) ? values[name] : undefined;

const textOf = (value: unknown): string | undefined => (value === undefined ? undefined : jsonText(value));
