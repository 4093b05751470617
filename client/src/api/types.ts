import type { components, paths } from './schema';

/** The shapes of the API's bodies, by the names that its description has for them. */
export type Schemas = components['schemas'];

export type Method = 'get' | 'post' | 'put' | 'delete';

interface AnyOperation {
  readonly parameters: object;
  readonly responses: object;
}

/** The paths that have a method. */
export type PathsOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, AnyOperation> ? P : never;
}[keyof paths];

type OperationOf<P extends PathsOf<M>, M extends Method> = paths[P][M];

type Parameters<O, Place extends string> = O extends { parameters: Partial<Record<Place, infer Given>> }
  ? Exclude<Given, undefined>
  : never;

/** The parameters of a path: `{ id: 1 }`; never for a path without. */
export type PathParameters<P extends PathsOf<M>, M extends Method> = Parameters<OperationOf<P, M>, 'path'>;

/** The query parameters of an operation. */
export type Query<P extends PathsOf<M>, M extends Method> = Parameters<OperationOf<P, M>, 'query'>;

/** The body of a request. */
export type Body<P extends PathsOf<M>, M extends Method> =
  OperationOf<P, M> extends { requestBody?: { content: { 'application/json': infer B } } } ? B : never;

type Successful<O> = O extends { responses: infer R } ? R[keyof R] : never;

/** What an operation answers; undefined where the answer has no body. */
export type Answer<P extends PathsOf<M>, M extends Method> =
  Successful<OperationOf<P, M>> extends { content: infer C } ? C[keyof C] : undefined;

/** The same, for one body a single resource, and for an array of them an array. */
export type AnswerTo<P extends PathsOf<M>, M extends Method, B> =
  Answer<P, M> extends readonly unknown[]
    ? Answer<P, M>
    : B extends readonly unknown[]
      ? Extract<Answer<P, M>, readonly unknown[]>
      : Exclude<Answer<P, M>, readonly unknown[]>;

/** The paths of lists that are answered as arrays, page by page. */
export type ListPaths = {
  [P in PathsOf<'get'>]: Answer<P, 'get'> extends readonly unknown[] ? P : never;
}[PathsOf<'get'>];

type WholeItem<P extends ListPaths> = Answer<P, 'get'> extends readonly (infer I)[] ? I : never;

/** The members that a list can be asked for with `fields`. */
export type Field<P extends PathsOf<'get'>> =
  Query<P, 'get'> extends { fields?: readonly (infer F)[] } ? F : never;

/**
 * An item of a list: with all its members, or with those that `fields` names. Where the compiler does not know which
 * these are, because they are in an array of any length, each may be missing.
 */
export type Item<P extends ListPaths, Fs extends readonly unknown[] = never> = [Fs] extends [never]
  ? WholeItem<P>
  : Omit<WholeItem<P>, Extract<Field<P>, string>> &
      (number extends Fs['length'] ? Partial<Selected<WholeItem<P>, Fs>> : Selected<WholeItem<P>, Fs>);

type Selected<Whole, Fs extends readonly unknown[]> = Pick<Whole, Extract<keyof Whole, Fs[number]>>;

/** What a read answers: of a list, items with the members that were asked for. */
export type ReadAnswer<P extends PathsOf<'get'>, Fs extends readonly unknown[]> = P extends ListPaths
  ? Item<P, Fs>[]
  : Answer<P, 'get'>;

type Asked<Name extends string, Value> = [Value] extends [never]
  ? { readonly [N in Name]?: never }
  : Partial<Value> extends Value
    ? { readonly [N in Name]?: Value }
    : { readonly [N in Name]: Value };

/** What a read is asked with. */
export type ReadOptions<P extends PathsOf<'get'>> = Asked<'path', PathParameters<P, 'get'>> &
  Asked<'query', Query<P, 'get'>> & { readonly signal?: AbortSignal };

/** The same, for a list whose `fields` the compiler is to know. */
export type SelectingOptions<P extends PathsOf<'get'>, Fs extends readonly unknown[]> = ReadOptions<P> & {
  readonly query?: { readonly fields?: [...Fs] };
};

/** What any write may be sent with. */
export interface WriteSettings {
  /** Why, for the change record. */
  readonly reason?: string;
  /** Only if the resource is still at this version: its `version`, or an entity tag. */
  readonly ifMatch?: number | string;
  /**
   * A name for a `POST`, under which it can be sent again and is done once. Without it the client makes one, so that
   * it can try again by itself. `null` sends none: the service stores no answer, and the client does not repeat the
   * request when it may have been done.
   */
  readonly idempotencyKey?: string | null;
  readonly signal?: AbortSignal;
}

/** What a write is asked with. */
export type WriteOptions<P extends PathsOf<M>, M extends Method, B = Body<P, M>> = Asked<
  'path',
  PathParameters<P, M>
> &
  Asked<'query', Query<P, M>> &
  ([Body<P, M>] extends [never] ? { readonly body?: never } : { readonly body?: B }) &
  WriteSettings;
