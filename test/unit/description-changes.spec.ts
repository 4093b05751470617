import { breakingChanges, type Description } from '../support/description-changes';

const text = { type: 'string' };

/** A description with one operation. */
const described = (operation: object, schemas: object = {}): Description =>
  ({ paths: { '/v1/hosts': { post: operation } }, components: { schemas } }) as unknown as Description;
const taking = (schema: object) =>
  described({ requestBody: { content: { 'application/json': { schema } } } });
const giving = (schema: object) =>
  described({ responses: { 200: { content: { 'application/json': { schema } } } } });
const members = (properties: object, required: string[] = []) => ({ type: 'object', properties, required });
const parameter = (more: object) =>
  described({ parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer' }, ...more }] });

const WHERE = 'POST /v1/hosts';
const BODY = `${WHERE}: the body`;
const OK = `${WHERE}: the response 200`;
const LIMIT = `${WHERE}: the query parameter limit`;

type Harmless = [what: string, before: Description, after: Description];
type Breaking = [...Harmless, change: string];

describe('breakingChanges', () => {
  it.each<Breaking>([
    ['a removed operation', described({}), { paths: {} }, `${WHERE}: was removed`],
    [
      'a renamed operation',
      described({ operationId: 'a' }),
      described({ operationId: 'b' }),
      `${WHERE}: its operationId a became b`,
    ],
    ['a removed parameter', parameter({}), described({}), `${LIMIT}: was removed`],
    [
      'a parameter that became required',
      parameter({}),
      parameter({ required: true }),
      `${LIMIT}: became required`,
    ],
    [
      'a new required parameter',
      described({}),
      parameter({ required: true }),
      `${LIMIT}: is new, and required`,
    ],
    [
      'a narrower parameter',
      parameter({}),
      parameter({ schema: { type: 'integer', maximum: 10 } }),
      `${LIMIT}: maximum null became 10`,
    ],
    [
      'a parameter of another type',
      parameter({}),
      parameter({ schema: text }),
      `${LIMIT}: the type integer became string`,
    ],
    [
      'a member of a body that became required',
      taking(members({ a: text })),
      taking(members({ a: text }, ['a'])),
      `${BODY}: the member a became required`,
    ],
    [
      'a member that a body no longer has',
      taking(members({ a: text })),
      taking(members({})),
      `${BODY}: the member a was removed`,
    ],
    [
      'a body that no longer accepts null',
      taking({ type: ['string', 'null'] }),
      taking(text),
      `${BODY}: the type string or null became string`,
    ],
    [
      'a removed value of a body',
      taking({ ...text, enum: ['a', 'b'] }),
      taking({ ...text, enum: ['a'] }),
      `${BODY}: no longer accepts b`,
    ],
    [
      'a removed form of a body',
      taking({ oneOf: [text, { type: 'array' }] }),
      taking({ oneOf: [text] }),
      `${BODY}: no longer accepts array`,
    ],
    [
      'a shorter text',
      taking({ ...text, maxLength: 9 }),
      taking({ ...text, maxLength: 8 }),
      `${BODY}: maxLength 9 became 8`,
    ],
    ['another pattern', taking(text), taking({ ...text, pattern: '^a' }), `${BODY}: has another pattern`],
    ['a removed answer', giving(text), described({ responses: {} }), `${OK}: was removed`],
    [
      'a removed media type',
      giving(text),
      described({ responses: { 200: { content: {} } } }),
      `${OK}: no longer has the type application/json`,
    ],
    [
      'a removed member of an answer',
      giving(members({ a: text })),
      giving(members({})),
      `${OK}: the member a was removed`,
    ],
    [
      'a member of an answer that can be absent',
      giving(members({ a: text }, ['a'])),
      giving(members({ a: text })),
      `${OK}: the member a can be absent`,
    ],
    [
      'a member of an answer that can be null',
      giving(text),
      giving({ ...text, nullable: true }),
      `${OK}: the type string became string or null`,
    ],
    [
      'a further form of an answer',
      giving({ oneOf: [text] }),
      giving({ oneOf: [text, { type: 'array' }] }),
      `${OK}: can be array`,
    ],
    [
      'another format',
      giving(text),
      giving({ ...text, format: 'date-time' }),
      `${OK}: the format null became date-time`,
    ],
  ])('names %s', (_, before, after, change) => {
    expect(breakingChanges(before, after)).toEqual([change]);
    expect(breakingChanges(before, before)).toEqual([]);
  });

  it.each<Harmless>([
    ['an operation', { paths: {} }, described({})],
    ['an optional parameter', described({}), parameter({})],
    ['an optional member of a body', taking(members({})), taking(members({ a: text }))],
    ['a further type of a body', taking(text), taking({ type: ['string', 'integer'] })],
    ['a member of an answer', giving(members({})), giving(members({ a: text }, ['a']))],
    ['a value of an answer', giving({ ...text, enum: ['a'] }), giving({ ...text, enum: ['a', 'b'] })],
    [
      'an error',
      giving(text),
      described({ responses: { 200: { content: { 'application/json': { schema: text } } }, 409: {} } }),
    ],
    ['a longer text', taking({ ...text, maxLength: 8 }), taking({ ...text, maxLength: 9 })],
  ])('accepts a description that adds %s', (_, before, after) => {
    expect(breakingChanges(before, after)).toEqual([]);
  });

  it('names a change of a shared schema once, with its name, also if it refers to itself', () => {
    const reference = { $ref: '#/components/schemas/Host' };
    const operation = {
      responses: { 200: { content: { a: { schema: reference }, b: { schema: reference } } } },
    };
    const host = (properties: object) => ({ Host: members({ ...properties, parent: reference }) });
    const before = described(operation, host({ name: text }));
    expect(breakingChanges(before, described(operation, host({})))).toEqual([
      'Host (response): the member name was removed',
    ]);
    const renamed = { $ref: '#/components/schemas/Device' };
    const other = { responses: { 200: { content: { a: { schema: renamed }, b: { schema: reference } } } } };
    expect(
      breakingChanges(
        before,
        described(other, { ...host({ name: text }), Device: host({ name: text }).Host }),
      ),
    ).toEqual([`${OK}: its model Host became Device`]);
  });
});
