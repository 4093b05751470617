import type { components, paths } from '@muster/api-types';

/** The schemas of the API, by the names that its description gives them. */
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

type Parameters<O, Location extends string> = O extends { parameters: Partial<Record<Location, infer P>> }
  ? Exclude<P, undefined>
  : never;

/** The parameters in a path: `{ id: 1 }`; never for a path without parameters. */
export type PathParameters<P extends PathsOf<M>, M extends Method> = Parameters<OperationOf<P, M>, 'path'>;

/** The query parameters of an operation. Those of dry runs and proposals are up to `Muster.preview` and `Muster.propose`. */
export type Query<P extends PathsOf<M>, M extends Method> = WithoutDryRun<
  Parameters<OperationOf<P, M>, 'query'>
>;

type DryRunParameter = 'dry_run' | 'limit' | 'marker' | 'propose';

type WithoutDryRun<Q> = Q extends { dry_run?: boolean }
  ? keyof Q extends DryRunParameter
    ? never
    : Omit<Q, DryRunParameter>
  : Q;

/** The request body of an operation. */
export type Body<P extends PathsOf<M>, M extends Method> =
  OperationOf<P, M> extends { requestBody?: { content: { 'application/json': infer B } } } ? B : never;

/** The responses of creations and deletions have other statuses; 200 is that of their dry runs. */
type SuccessResponse<O> = O extends { responses: infer R }
  ? R[Exclude<keyof R, R extends { 201: unknown } | { 204: unknown } ? 200 : never>]
  : never;

type PreviewBody = Schemas['Preview'] | Schemas['VariableSetPreview'];

/** The response body of an operation; undefined if there is none. */
export type ResponseBody<P extends PathsOf<M>, M extends Method> =
  SuccessResponse<OperationOf<P, M>> extends { content: infer C }
    ? WholeItems<Exclude<C[keyof C], PreviewBody>, SelectableMembers<Query<P, M>>>
    : undefined;

/** The values of the `fields` parameter of a list. */
type SelectableMembers<Q> = Q extends { fields?: readonly (infer F)[] } ? F : never;

/** Without `fields`, the items of a list have all selectable members. */
type WholeItems<B, F> = [F] extends [never]
  ? B
  : B extends readonly (infer I)[]
    ? (Omit<I, Extract<F, string>> & Required<Pick<I, Extract<F, keyof I>>>)[]
    : B;

/** The response body of a write: a resource for a single body, an array for an array. */
export type WriteResponseBody<P extends PathsOf<M>, M extends Method, B> =
  ResponseBody<P, M> extends readonly unknown[]
    ? ResponseBody<P, M>
    : B extends readonly unknown[]
      ? Extract<ResponseBody<P, M>, readonly unknown[]>
      : Exclude<ResponseBody<P, M>, readonly unknown[]>;

/** The paths of paged lists. */
export type ListPaths = {
  [P in PathsOf<'get'>]: ResponseBody<P, 'get'> extends readonly unknown[] ? P : never;
}[PathsOf<'get'>];

type WholeItem<P extends ListPaths> = ResponseBody<P, 'get'> extends readonly (infer I)[] ? I : never;

/** The values of the `fields` parameter of a list. */
export type Field<P extends PathsOf<'get'>> = SelectableMembers<Query<P, 'get'>>;

/**
 * An item of a list: with all members, or with those in `fields`. If the compiler does not know the elements of `fields`,
 * because its length is unknown, each selected member is optional.
 */
export type Item<P extends ListPaths, Fs extends readonly unknown[] = never> = [Fs] extends [never]
  ? WholeItem<P>
  : Omit<WholeItem<P>, Extract<Field<P>, string>> &
      (number extends Fs['length']
        ? Partial<SelectedFields<WholeItem<P>, Fs>>
        : SelectedFields<WholeItem<P>, Fs>);

type SelectedFields<Whole, Fs extends readonly unknown[]> = Pick<Whole, Extract<keyof Whole, Fs[number]>>;

/** The response body of a read. The items of a list have the members in `fields`. */
export type ReadResponseBody<P extends PathsOf<'get'>, Fs extends readonly unknown[]> = P extends ListPaths
  ? Item<P, Fs>[]
  : ResponseBody<P, 'get'>;

type RequestPart<Name extends string, Value> = [Value] extends [never]
  ? { readonly [N in Name]?: never }
  : Partial<Value> extends Value
    ? { readonly [N in Name]?: Value }
    : { readonly [N in Name]: Value };

/** The options of a read. */
export type ReadOptions<P extends PathsOf<'get'>> = RequestPart<'path', PathParameters<P, 'get'>> &
  RequestPart<'query', Query<P, 'get'>> & { readonly signal?: AbortSignal };

/** The options of a list whose `fields` determine the type of its items. */
export type FieldsReadOptions<P extends PathsOf<'get'>, Fs extends readonly unknown[]> = ReadOptions<P> & {
  readonly query?: { readonly fields?: [...Fs] };
};

/** Options that every write has. */
export interface CommonWriteOptions {
  /**
   * The reason in the change record. Without it, and without a reason of the client, no `X-Change-Reason` header is sent:
   * the service then takes the `note` in the body as the reason. An empty text sends an empty header, so that the change
   * has no reason, and the `note` does not count.
   */
  readonly reason?: string;
  /** Why an admin does the write without the approvals that it needs, for the change record: `X-Change-Override`. */
  readonly override?: string;
  /** The version that the resource must have: its `version`, or an entity tag. */
  readonly ifMatch?: number | string;
  /**
   * The idempotency key of a `POST`, with which a repeated request is executed once. By default the client generates a key,
   * so that it can retry. `null` sends no key: the service stores no response, and the client does not retry a request that
   * may have been executed.
   */
  readonly idempotencyKey?: string | null;
  readonly signal?: AbortSignal;
}

/** The options of a write. */
export type WriteOptions<P extends PathsOf<M>, M extends Method, B = Body<P, M>> = RequestPart<
  'path',
  PathParameters<P, M>
> &
  RequestPart<'query', Query<P, M>> &
  ([Body<P, M>] extends [never] ? { readonly body?: never } : { readonly body?: B }) &
  CommonWriteOptions;
