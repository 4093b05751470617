/** Compares two OpenAPI descriptions, and names each change that can break a client of the first one. */

type Json = null | boolean | number | string | readonly Json[] | Node;
interface Node {
  readonly [member: string]: Json | undefined;
}

export interface Description {
  readonly paths: Readonly<Record<string, Json>>;
  readonly components?: Readonly<Record<string, Json>> | undefined;
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch'];

/** Where a schema is used: clients send values of the first kind, and read values of the second. */
type Direction = 'request' | 'response';

const nodeOf = (value: Json | undefined): Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Node) : {};
const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as Json[]) : []);
const textOf = (value: Json | undefined): string =>
  typeof value === 'string' ? value : JSON.stringify(value ?? null);
const refOf = (schema: Node): string | undefined =>
  typeof schema['$ref'] === 'string' ? schema['$ref'].split('/').at(-1) : undefined;

/** The types of a schema, in the notations of OpenAPI 3.0 and 3.1. */
function typesOf(schema: Node): string[] {
  const types = [schema['type'] ?? []].flat().map(textOf);
  return schema['nullable'] === true ? [...types, 'null'] : types;
}

/** A bound, and whether a larger value of it allows less. */
const BOUNDS: readonly (readonly [string, boolean])[] = [
  ['minimum', true],
  ['minLength', true],
  ['minItems', true],
  ['maximum', false],
  ['maxLength', false],
  ['maxItems', false],
];

class Comparison {
  readonly changes = new Set<string>();
  private readonly compared = new Set<string>();

  constructor(
    private readonly before: Description,
    private readonly after: Description,
  ) {}

  operations(): void {
    for (const [path, item] of Object.entries(this.before.paths))
      for (const method of METHODS) {
        const before = nodeOf(item)[method];
        if (before === undefined) continue;
        const name = `${method.toUpperCase()} ${path}`;
        const after = nodeOf(this.after.paths[path])[method];
        if (after === undefined) this.report(name, 'was removed');
        else this.operation(name, nodeOf(before), nodeOf(after));
      }
  }

  private report(where: string, what: string): void {
    this.changes.add(`${where}: ${what}`);
  }

  /** Follows a reference to a shared part of a description. */
  private resolve(description: Description, value: Json | undefined): Node {
    const node = nodeOf(value);
    if (typeof node['$ref'] !== 'string') return node;
    const [, , section = '', name = ''] = node['$ref'].split('/');
    return nodeOf(nodeOf(description.components?.[section])[name]);
  }

  private operation(name: string, before: Node, after: Node): void {
    if (before['operationId'] !== after['operationId'])
      this.report(
        name,
        `its operationId ${textOf(before['operationId'])} became ${textOf(after['operationId'])}`,
      );
    this.parameters(name, before, after);
    this.requestBody(name, before, after);
    const [old, present] = [nodeOf(before['responses']), nodeOf(after['responses'])];
    for (const [status, response] of Object.entries(old)) {
      const where = `${name}: the response ${status}`;
      if (present[status] === undefined) this.report(where, 'was removed');
      else
        this.content(
          where,
          this.resolve(this.before, response),
          this.resolve(this.after, present[status]),
          'response',
        );
    }
    for (const status of Object.keys(present))
      if (status.startsWith('2') && old[status] === undefined)
        this.report(`${name}: the response ${status}`, 'is new, and is a success');
  }

  private parameters(name: string, before: Node, after: Node): void {
    const read = (description: Description, operation: Node) =>
      new Map(
        listOf(operation['parameters']).map((parameter) => {
          const node = this.resolve(description, parameter);
          return [`${textOf(node['in'])} parameter ${textOf(node['name'])}`, node] as const;
        }),
      );
    const [old, present] = [read(this.before, before), read(this.after, after)];
    for (const [key, parameter] of old) {
      const now = present.get(key);
      const where = `${name}: the ${key}`;
      if (!now) {
        this.report(where, 'was removed');
        continue;
      }
      if (now['required'] === true && parameter['required'] !== true) this.report(where, 'became required');
      this.schema(where, nodeOf(parameter['schema']), nodeOf(now['schema']), 'request');
    }
    for (const [key, parameter] of present)
      if (parameter['required'] === true && !old.has(key))
        this.report(`${name}: the ${key}`, 'is new, and required');
  }

  private requestBody(name: string, before: Node, after: Node): void {
    const where = `${name}: the body`;
    const [old, present] = [
      this.resolve(this.before, before['requestBody']),
      this.resolve(this.after, after['requestBody']),
    ];
    if (present['required'] === true && old['required'] !== true) this.report(where, 'became required');
    if (before['requestBody'] === undefined) return;
    if (after['requestBody'] === undefined) this.report(where, 'was removed');
    else this.content(where, old, present, 'request');
  }

  private content(where: string, before: Node, after: Node, direction: Direction): void {
    const present = nodeOf(after['content']);
    for (const [type, media] of Object.entries(nodeOf(before['content']))) {
      if (present[type] === undefined) this.report(where, `no longer has the type ${type}`);
      else
        this.schema(
          where,
          nodeOf(nodeOf(media)['schema']),
          nodeOf(nodeOf(present[type])['schema']),
          direction,
        );
    }
  }

  private schema(where: string, before: Node, after: Node, direction: Direction): void {
    const [oldName, newName] = [refOf(before), refOf(after)];
    if (oldName !== undefined && newName !== undefined) {
      if (oldName !== newName) this.report(where, `its model ${oldName} became ${newName}`);
      // A shared schema is compared once, and its changes are reported with its name.
      const key = `${direction} ${oldName} ${newName}`;
      if (this.compared.has(key)) return;
      this.compared.add(key);
      const [old, present] = [this.resolve(this.before, before), this.resolve(this.after, after)];
      this.schema(`${oldName} (${direction})`, old, present, direction);
      return;
    }
    const [old, present] = [this.resolve(this.before, before), this.resolve(this.after, after)];
    this.types(where, old, present, direction);
    this.alternatives(where, old, present, direction);
    this.members(where, old, present, direction);
    if (old['items'] !== undefined && present['items'] !== undefined)
      this.schema(`${where}[]`, nodeOf(old['items']), nodeOf(present['items']), direction);
  }

  private types(where: string, before: Node, after: Node, direction: Direction): void {
    const [old, present] = [typesOf(before), typesOf(after)];
    const [narrow, wide] = direction === 'request' ? [present, old] : [old, present];
    // Without types, every value is possible.
    const lost =
      narrow.length === 0
        ? []
        : wide.length === 0
          ? ['any type']
          : wide.filter(
              (type) => !narrow.includes(type) && !(type === 'integer' && narrow.includes('number')),
            );
    if (lost.length > 0)
      this.report(where, `the type ${old.join(' or ') || 'any'} became ${present.join(' or ') || 'any'}`);
    if (before['format'] !== after['format'])
      this.report(where, `the format ${textOf(before['format'])} became ${textOf(after['format'])}`);
    if (direction === 'response') return;
    const [oldValues, newValues] = [before['enum'], after['enum']].map((values) =>
      values === undefined ? undefined : listOf(values).map(textOf),
    );
    if (newValues && !oldValues) this.report(where, 'became limited to some values');
    for (const value of oldValues ?? [])
      if (newValues && !newValues.includes(value)) this.report(where, `no longer accepts ${value}`);
    if (after['pattern'] !== undefined && before['pattern'] !== after['pattern'])
      this.report(where, 'has another pattern');
    for (const [bound, isLower] of BOUNDS) {
      const [was, is] = [before[bound], after[bound]];
      if (typeof is !== 'number' || was === is) continue;
      if (typeof was !== 'number' || is > was === isLower)
        this.report(where, `${bound} ${textOf(was)} became ${textOf(is)}`);
    }
  }

  private alternatives(where: string, before: Node, after: Node, direction: Direction): void {
    for (const kind of ['oneOf', 'anyOf', 'allOf']) {
      const [old, present] = [listOf(before[kind]), listOf(after[kind])].map(
        (schemas) => new Map(schemas.map((schema) => [keyOf(nodeOf(schema)), nodeOf(schema)] as const)),
      );
      if (!old || !present || (old.size === 0 && present.size === 0)) continue;
      const [possible, needed] = direction === 'request' ? [present, old] : [old, present];
      for (const key of needed.keys())
        if (!possible.has(key))
          this.report(where, direction === 'request' ? `no longer accepts ${key}` : `can be ${key}`);
      for (const [key, schema] of old) {
        const now = present.get(key);
        if (now) this.schema(where, schema, now, direction);
      }
    }
  }

  private members(where: string, before: Node, after: Node, direction: Direction): void {
    const [old, present] = [nodeOf(before['properties']), nodeOf(after['properties'])];
    const [wasRequired, isRequired] = [listOf(before['required']), listOf(after['required'])];
    for (const [member, schema] of Object.entries(old)) {
      const now = present[member];
      if (now === undefined) this.report(where, `the member ${member} was removed`);
      else this.schema(`${where}.${member}`, nodeOf(schema), nodeOf(now), direction);
    }
    if (direction === 'request') {
      for (const member of isRequired)
        if (!wasRequired.includes(member)) this.report(where, `the member ${textOf(member)} became required`);
      if (after['additionalProperties'] === false && before['additionalProperties'] !== false)
        this.report(where, 'no longer accepts further members');
    } else
      for (const member of wasRequired)
        if (present[textOf(member)] !== undefined && !isRequired.includes(member))
          this.report(where, `the member ${textOf(member)} can be absent`);
  }
}

/** Identifies an alternative: by its name, or else by its type. */
const keyOf = (schema: Node): string =>
  refOf(schema) ?? (typesOf(schema).join(' or ') || JSON.stringify(schema));

/** Each change from one description to the next that can break a client, in a sentence. */
export function breakingChanges(before: Description, after: Description): string[] {
  const comparison = new Comparison(before, after);
  comparison.operations();
  return [...comparison.changes];
}
