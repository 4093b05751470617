import * as v from 'valibot';
import { dateOf } from '../components/date-of';

/**
 * The query of a URL as text, and back. It looks like the query of the API: `label=web&label=compute&region_id=3`.
 * The schemas of routes make numbers and booleans of texts.
 */
export function parseSearch(text: string): Record<string, string | string[]> {
  const result: Record<string, string | string[]> = {};
  const parameters = new URLSearchParams(text);
  for (const name of new Set(parameters.keys())) {
    const values = parameters.getAll(name);
    result[name] = values.length === 1 ? (values[0] ?? '') : values;
  }
  return result;
}

export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (value === undefined || value === null) continue;
    for (const item of Array.isArray(value) ? value : [value]) parameters.append(name, String(item));
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

// A parameter that cannot be read counts as absent: a link that was cut still opens the page; except a time: see `timeParam`.

/** A text; an empty one counts as absent. */
export const textParam = v.fallback(v.optional(v.pipe(v.string(), v.nonEmpty())), undefined);

/** A parameter that may be repeated, whose values mean the same if they are joined by commas. */
export const joinedParam = v.fallback(
  v.optional(
    v.union([
      v.pipe(v.string(), v.nonEmpty()),
      v.pipe(
        v.array(v.string()),
        v.transform((values) => values.join(',')),
      ),
    ]),
  ),
  undefined,
);

const integer = v.union([
  v.pipe(v.number(), v.integer(), v.minValue(0)),
  v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number)),
]);

/** An id, or another number that is not negative. */
export const integerParam = v.fallback(v.optional(integer), undefined);

/** How often the API accepts a filter by ids. */
const MAX_IDS = 100;

/** The ids of one resource or several. */
export const idsParam = (max = MAX_IDS) =>
  v.fallback(
    v.optional(
      v.union([
        v.pipe(v.array(integer), v.maxLength(max)),
        v.pipe(
          integer,
          v.transform((id) => [id]),
        ),
      ]),
    ),
    undefined,
  );

/** The value of a filter by ids for resources that have none. */
export const NO_ID = 'null';

const idOrNone = v.union([v.literal(NO_ID), integer]);

/** The id of one resource, or none. */
export const idOrNoneParam = v.fallback(v.optional(idOrNone), undefined);

/** The same as `idsParam`, or none. */
export const idsOrNoneParam = v.fallback(
  v.optional(
    v.union([
      v.pipe(v.array(idOrNone), v.maxLength(MAX_IDS)),
      v.pipe(
        idOrNone,
        v.transform((id) => [id]),
      ),
    ]),
  ),
  undefined,
);

export const booleanParam = v.fallback(
  v.optional(
    v.union([
      v.boolean(),
      v.pipe(
        v.picklist(['true', 'false']),
        v.transform((text) => text === 'true'),
      ),
    ]),
  ),
  undefined,
);

/** A repeated parameter. */
export const listParam = v.fallback(
  v.optional(
    v.union([
      v.array(v.string()),
      v.pipe(
        v.string(),
        v.transform((text) => [text]),
      ),
    ]),
  ),
  undefined,
);

/** One of several words. */
export const wordParam = <const Words extends readonly string[]>(words: Words) =>
  v.fallback(v.optional(v.picklist(words)), undefined);

/**
 * A point in time, as the API accepts it. One that cannot be read is an error of the page: without it, the page would show the
 * present in place of the past.
 */
export const timeParam = v.optional(
  v.pipe(
    v.string(),
    v.regex(/^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?)?(Z|[+-]\d{2}:\d{2})?$/),
    v.check((time) => !Number.isNaN(dateOf(time).getTime())),
  ),
);

/** The error of the router for a URL that a schema rejects. */
const searchError = v.object({
  cause: v.object({
    issues: v.array(v.object({ path: v.tuple([v.object({ key: v.string(), value: v.unknown() })]) })),
  }),
});

/**
 * The times of a URL that cannot be read, by the names of their parameters; none if a page failed for another reason. All other
 * parameters count as absent if they cannot be read, so only times are errors.
 */
export function unreadableTimes(error: unknown): ReadonlyMap<string, string> {
  const { success, output } = v.safeParse(searchError, error);
  const issues = success ? output.cause.issues : [];
  return new Map(issues.map(({ path: [{ key, value }] }) => [key, String(value)]));
}

/** The parameters that are present. */
export type Present<T> = { readonly [Name in keyof T]?: Exclude<T[Name], undefined> };

/** A search without the parameters that are absent, as a query of the API. */
export const present = <T extends object>(search: T): Present<T> =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as Present<T>;
