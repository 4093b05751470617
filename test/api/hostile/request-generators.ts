import fc from '../../support/property-testing';
import type { Api, Operation } from './api';
import { bombs, hostile, linesOf, nearlyValid, PLAIN, tableOf, wires, type Wire } from './alterations';
import {
  BEYOND_SAFE,
  FORGED_HEADERS,
  HEADER_VALUES,
  PATH_SEGMENTS,
  PATH_TRICKS,
  PROTOTYPE_KEYS,
  QUERY_TRICKS,
  TEXTS,
} from './catalogue';
import { Raw, type Json } from './unserialized-json';
import { references, Values } from './value-generators';

/** Whether a request is valid, has one fault, or is malicious. */
export type Category = 'valid' | 'nearly valid' | 'hostile';

/** A generated request, before the existing ids are known. */
export interface Plan {
  readonly operation: Operation;
  readonly category: Category;
  readonly method: string;
  readonly caller: number;
  /** By path parameter name. A `Raw` is already percent-encoded. */
  readonly path: Readonly<Record<string, Json>>;
  readonly trick: string | undefined;
  readonly query: readonly (readonly [string, Json])[];
  /** Appended to the query without encoding. */
  readonly tail: string | undefined;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: { readonly json: Json; readonly wire: Wire } | undefined;
}

type Change = (plan: Plan) => Plan;

const LINES = 'application/x-ndjson';
const TABLE = 'text/csv';

/** Texts that fit into a URL of moderate length. */
const SHORT_TEXTS = TEXTS.filter((text) => text.length <= 4_000);
const OTHER_METHODS = [
  'PATCH',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'HEAD',
  'GET',
  'POST',
  'PUT',
  'DELETE',
  'QUERY',
];

/** Generates requests to operations of the OpenAPI document. */
export class Requests {
  private readonly values: Values;

  constructor(api: Api) {
    this.values = new Values(api);
  }

  to(operation: Operation): fc.Arbitrary<Plan> {
    const valid = this.valid(operation);
    const changed = (category: Category, change: fc.Arbitrary<Change>) =>
      fc.tuple(valid, change).map(([plan, alter]) => alter({ ...plan, category }));
    return fc.oneof(
      { weight: 3, arbitrary: valid },
      { weight: 4, arbitrary: changed('nearly valid', this.nearly(operation)) },
      { weight: 5, arbitrary: changed('hostile', this.hostile(operation)) },
    );
  }

  private valid(operation: Operation): fc.Arbitrary<Plan> {
    const { method, parameters } = operation;
    const of = (location: string) => parameters.filter((one) => one.in === location);
    const path = fc.record(
      Object.fromEntries(
        of('path').map(({ name, schema }) => [
          name,
          name === 'id' ? references(collectionOf(operation)) : this.values.of(schema, name),
        ]),
      ),
    );
    const query = fc
      .tuple(
        ...of('query').map(({ name, required, schema, explode }) => {
          const value = this.values
            .of(schema, name === 'id' ? 'marker' : name)
            .map((json): [string, Json][] => {
              const items = Array.isArray(json) ? (json as readonly Json[]) : [json];
              return explode === false
                ? [[name, items.map(String).join(',')]]
                : items.map((item): [string, Json] => [name, item]);
            });
          return maybe(required === true ? 1 : 0.15, value, []);
        }),
      )
      .map((some) => some.flat());
    const headers = fc
      .tuple(
        ...of('header').map(({ name }) =>
          maybe(
            0.1,
            headerValue(name).map((value): [string, string][] => [[name, value]]),
            [],
          ),
        ),
      )
      .map((some) => some.flat());
    return fc
      .record({
        path,
        query,
        headers,
        caller: fc.nat(1_000),
        body: this.body(operation),
        method: methodOf(method),
      })
      .map((some) => ({ ...some, operation, category: 'valid', trick: undefined, tail: undefined }));
  }

  private body({ requestBody }: Operation): fc.Arbitrary<Plan['body']> {
    if (!requestBody) return fc.constant(undefined);
    const kinds = Object.entries(requestBody.content).map(([type, { schema = {} }]) => {
      const [json, text] =
        type === LINES
          ? [this.values.lines(), linesOf]
          : type === TABLE
            ? [this.values.table(), tableOf]
            : [this.values.of(schema, 'body')];
      const wire: Wire = { ...PLAIN, type, ...(text ? { text } : {}) };
      return json.map((body) => ({ json: body, wire }));
    });
    const body = fc.oneof(...kinds);
    return requestBody.required === true ? body : maybe(0.7, body, undefined);
  }

  private nearly(operation: Operation): fc.Arbitrary<Change> {
    const changes: fc.Arbitrary<Change>[] = [
      fc
        .tuple(fc.nat(50), fc.constantFrom<Json>('', 'nonsense', new Raw('-1'), '1.5', BEYOND_SAFE))
        .map(withQuery),
      fc.constant<Change>((plan) => ({ ...plan, query: [...plan.query, ['unexpected', '1']] })),
      fc.constant<Change>((plan) => ({ ...plan, query: [...plan.query, ...plan.query] })),
      fc.constantFrom(...OTHER_METHODS).map((method): Change => (plan) => ({ ...plan, method })),
      headersOf(operation, fc.constantFrom('', '"7"', 'nonsense', 'x'.repeat(300))),
    ];
    if (operation.path.includes('{'))
      changes.push(
        pathsOf(operation, fc.constantFrom<Json>('0', '-1', 'nonsense', '1.5', BEYOND_SAFE, 'a b', 'ü')),
      );
    if (operation.requestBody)
      changes.push(
        ...[0, 1].map(() =>
          nearlyValid.map(
            (alter): Change =>
              (plan) =>
                withBody(plan, alter),
          ),
        ),
        wires.map(
          (wire): Change =>
            (plan) =>
              plan.body ? { ...plan, body: { ...plan.body, wire: { ...plan.body.wire, ...wire } } } : plan,
        ),
      );
    // Also for operations without a body.
    else
      changes.push(
        wires.map((wire): Change => (plan) => ({ ...plan, body: { json: 'a body', wire } })),
      );
    return fc.oneof(...changes);
  }

  private hostile(operation: Operation): fc.Arbitrary<Change> {
    const changes: fc.Arbitrary<Change>[] = [
      fc.tuple(fc.nat(50), fc.constantFrom(...SHORT_TEXTS)).map(withQuery),
      fc
        .tuple(fc.constantFrom(...PROTOTYPE_KEYS, ...SHORT_TEXTS), fc.constantFrom(...SHORT_TEXTS))
        .map(([name, value]): Change => (plan) => ({ ...plan, query: [...plan.query, [name, value]] })),
      fc.constantFrom(...QUERY_TRICKS).map((tail): Change => (plan) => ({ ...plan, tail })),
      fc.constantFrom(...Object.keys(PATH_TRICKS)).map((trick): Change => (plan) => ({ ...plan, trick })),
      fc.constantFrom(...FORGED_HEADERS).map(
        (header): Change =>
          (plan) =>
            withHeader(plan, ...header),
      ),
      headersOf(operation, fc.constantFrom(...HEADER_VALUES)),
      fc
        .tuple(
          fc.constantFrom('X-Auth-User', 'X-Auth-Project', 'X-Auth-Token'),
          fc.constantFrom(...HEADER_VALUES),
        )
        .map(
          ([name, value]): Change =>
            (plan) =>
              withHeader(plan, name, value),
        ),
    ];
    if (operation.path.includes('{'))
      changes.push(
        pathsOf(
          operation,
          fc.constantFrom(...PATH_SEGMENTS).map((text) => new Raw(text)),
        ),
        pathsOf(operation, fc.constantFrom(...SHORT_TEXTS)),
      );
    if (operation.requestBody)
      changes.push(
        ...[0, 1, 2, 3].map(() =>
          hostile.map(
            (alter): Change =>
              (plan) =>
                withBody(plan, alter),
          ),
        ),
        bombs.map(
          ({ text }): Change =>
            (plan) =>
              withBody(plan, () => new Raw(text)),
        ),
      );
    return fc.oneof(...changes);
  }
}

/** `hosts` of `/v1/hosts/{id}/labels`. */
export const collectionOf = ({ path }: Pick<Operation, 'path'>): string => path.split('/')[2] ?? '';

const maybe = <T, N>(probability: number, arbitrary: fc.Arbitrary<T>, otherwise: N): fc.Arbitrary<T | N> =>
  fc.oneof(
    { weight: Math.round((1 - probability) * 100), arbitrary: fc.constant(otherwise) },
    { weight: Math.round(probability * 100), arbitrary },
  );

/** Every GET can also be sent as HEAD. */
const methodOf = (method: string): fc.Arbitrary<string> =>
  method === 'GET' ? maybe(0.1, fc.constant('HEAD'), method) : fc.constant(method);

function headerValue(name: string): fc.Arbitrary<string> {
  switch (name) {
    case 'If-Match':
      return fc.constantFrom('*', '"1"', '"2"', 'W/"1"', '"1", "2"');
    case 'If-None-Match':
      return fc.constant('*');
    case 'Idempotency-Key':
      return fc.constantFrom('one', 'two', '6f1c1f0e-new-rack');
    case 'X-Change-Reason':
      return fc.constantFrom('CHG-1042: new rack', 'because');
    default:
      return fc.constantFrom('', '6904e2a1b7c3d5f0-00000001-000000001a2b3c40');
  }
}

/** Sets one of the query parameters of the operation, whether it is present or not. */
const withQuery =
  ([index, value]: [number, Json]): Change =>
  (plan) => {
    const accepted = plan.operation.parameters.filter((one) => one.in === 'query' && one.name !== 'wait');
    const name = accepted[index % accepted.length]?.name ?? 'name';
    return { ...plan, query: [...plan.query.filter(([one]) => one !== name), [name, value]] };
  };

const withHeader = (plan: Plan, name: string, value: string): Plan => ({
  ...plan,
  headers: [...plan.headers.filter(([one]) => one !== name), [name, value]],
});

/** Also for operations without a body. */
const withBody = (plan: Plan, alter: (json: Json) => Json): Plan => ({
  ...plan,
  body: { wire: plan.body?.wire ?? PLAIN, json: alter(plan.body?.json ?? 'a body') },
});

function headersOf({ parameters }: Operation, values: fc.Arbitrary<string>): fc.Arbitrary<Change> {
  const names = parameters.filter((one) => one.in === 'header').map(({ name }) => name);
  return fc.tuple(fc.constantFrom(...names, 'X-Request-Id', 'Accept'), values).map(
    ([name, value]): Change =>
      (plan) =>
        withHeader(plan, name, value),
  );
}

function pathsOf({ path }: Operation, values: fc.Arbitrary<Json>): fc.Arbitrary<Change> {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
  return fc.tuple(fc.constantFrom(...names), values).map(([name, value]): Change => (plan) => ({
    ...plan,
    path: { ...plan.path, [name]: value },
  }));
}
