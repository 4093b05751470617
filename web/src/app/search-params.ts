import * as v from 'valibot';
import { DATE_LENGTH, dateOf } from '../components/date-of';

/** Parameters that mail and chat programs add to links. No page has them. */
const OF_TRACKING = /^(utm_.*|fbclid|gclid)$/;

/**
 * The query of a URL as text, and back. It looks like the query of the API: `label=web&label=compute&region_id=3`.
 * The schemas of routes make numbers and booleans of texts. An empty value counts as absent.
 */
export function parseSearch(text: string): Record<string, string | string[]> {
  const result: Record<string, string | string[]> = {};
  const parameters = new URLSearchParams(text);
  for (const name of new Set(parameters.keys())) {
    if (OF_TRACKING.test(name)) continue;
    const [value, ...others] = parameters.getAll(name).filter((one) => one !== '');
    if (value !== undefined) result[name] = others.length === 0 ? value : [value, ...others];
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

// A parameter that cannot be read is an error of the page if it selects what the page shows: without it, the page would show
// something else, such as all devices. One that only says how it is shown counts as absent. A name that a page with filters
// does not know may be meant to select, too: its schema is strict.

const oneText = v.pipe(
  v.string(),
  v.transform((value) => (value === '' ? undefined : value)),
);

/** A text; an empty one counts as absent. */
export const textParam = v.optional(oneText);

/** A parameter that may be repeated, whose values mean the same if they are joined by commas. */
export const joinedParam = v.optional(
  v.union([
    oneText,
    v.pipe(
      v.array(v.string()),
      v.transform((values) => values.join(',')),
    ),
  ]),
);

const integer = v.union([
  v.pipe(v.number(), v.integer(), v.minValue(0)),
  v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number)),
]);

/** An id, or another number that is not negative. */
export const integerParam = v.optional(integer);

/** How often the API accepts a filter by ids; none counts, too. */
export const MAX_IDS = 100;

/** The ids of one resource or several. */
export const idsParam = (max = MAX_IDS) =>
  v.optional(
    v.union([
      v.pipe(v.array(integer), v.maxLength(max)),
      v.pipe(
        integer,
        v.transform((id) => [id]),
      ),
    ]),
  );

/** The value of a filter by ids for resources that have none. */
export const NO_ID = 'null';

const idOrNone = v.union([v.literal(NO_ID), integer]);

/** The id of one resource, or none. */
export const idOrNoneParam = v.optional(idOrNone);

/** The same as `idsParam`, or none. */
export const idsOrNoneParam = v.optional(
  v.union([
    v.pipe(v.array(idOrNone), v.maxLength(MAX_IDS)),
    v.pipe(
      idOrNone,
      v.transform((id) => [id]),
    ),
  ]),
);

export const booleanParam = v.optional(
  v.union([
    v.boolean(),
    v.pipe(
      v.picklist(['true', 'false']),
      v.transform((value) => value === 'true'),
    ),
  ]),
);

/** Whether a part of the page, such as a form, is shown. */
export const shownParam = v.fallback(booleanParam, undefined);

/** A repeated parameter. */
export const listParam = v.optional(
  v.union([
    v.array(v.string()),
    v.pipe(
      v.string(),
      v.transform((value) => [value]),
    ),
  ]),
);

/** One of several words, such as a kind of resource. */
export const wordParam = <const Words extends readonly string[]>(words: Words) =>
  v.optional(v.picklist(words));

/** One of several ways to show the same, such as a tab. */
export const viewParam = <const Words extends readonly string[]>(words: Words) =>
  v.fallback(v.optional(v.picklist(words)), undefined);

/** Whether a date exists. `Date` accepts 2026-11-31 as 1 December. */
const isDay = (date: string): boolean => new Date(date).getUTCDate() === Number(date.slice(-2));

const TIME_EXAMPLE = 'A time looks like 2026-11-20 or 2026-11-20T14:37:06Z.';

/** A point in time, as the API accepts it. */
export const timeParam = v.optional(
  v.pipe(
    v.string(TIME_EXAMPLE),
    v.regex(/^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?)?(Z|[+-]\d{2}:\d{2})?$/, TIME_EXAMPLE),
    v.check(
      (time) => !Number.isNaN(dateOf(time).getTime()) && isDay(time.slice(0, DATE_LENGTH)),
      TIME_EXAMPLE,
    ),
  ),
);

/** The error of the router for a URL that a schema rejects. */
const searchError = v.object({
  cause: v.object({
    issues: v.array(
      v.object({
        type: v.string(),
        path: v.tuple([v.object({ key: v.string(), value: v.unknown() })]),
        message: v.string(),
      }),
    ),
  }),
});

/** What a URL has for a parameter that cannot be read. */
export interface UnreadableParameter {
  readonly name: string;
  /** Several values are joined by commas. */
  readonly text: string;
  /** What it looks like, or that there is none of this name, if that is not obvious. */
  readonly example: string | undefined;
}

/** One that a page does not have. */
export const unknownParameter = (name: string, value: unknown): UnreadableParameter => ({
  name,
  text: String(value),
  example: `This page has no “${name}”.`,
});

/** The parameters of a URL that cannot be read; none if a page failed for another reason. */
export function unreadableParameters(error: unknown): readonly UnreadableParameter[] {
  const { success, output } = v.safeParse(searchError, error);
  const issues = success ? output.cause.issues : [];
  const parameters = issues.map(({ type, path: [{ key, value }], message }) =>
    type === 'strict_object'
      ? unknownParameter(key, value)
      : { name: key, text: String(value), example: message === TIME_EXAMPLE ? message : undefined },
  );
  // Each of several values may have an issue.
  return [...new Map(parameters.map((one) => [one.name, one])).values()];
}

/** The parameters that are present. */
export type Present<T> = { readonly [Name in keyof T]?: Exclude<T[Name], undefined> };

/** A search without the parameters that are absent, as a query of the API. */
export const present = <T extends object>(search: T): Present<T> =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as Present<T>;
