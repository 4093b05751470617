import { Injectable } from '@nestjs/common';
import { type RequestContext } from '../../core/context/request-context';
import { InventoryError } from '../../core/errors';
import type { ListPage, ListUrl } from '../../lists/list-page';
import { parameterReader } from '../../core/parameters';
import { parseLimit, LIMITS } from '../../lists/list-query';
import { Database, type Queryable } from '../../database/database';
import { join, raw, sql, type Sql } from '../../database/sql';
import { from, inScope, hasVisibleKeys, ofKind, isVisible } from '../../database/resource-sql';
import { scopeOfResource } from '../../database/resource-scope';
import type { SchemaViolation } from '../schemas/compile-schema';
import {
  assertUsableSchema,
  JsonSchemaValidator,
  ValidationTimeoutError,
} from '../schemas/schema-validation';
import type { CreateVariableDefinition } from './variable-definition.dto';
import { variableDefinitionMapping } from './variable-definition.entity';
import { regionMapping } from '../../regions/region.entity';
import { cellMapping } from '../../cells/cell.entity';
import { deviceKinds } from '../../devices/device-kinds';
import { labelMapping } from '../../labels/label.entity';
import { userMapping } from '../../accounts/user.entity';
import type { ResourceMapping } from '../../database/resource-mapping';

/** The position of a variable in the order of `readSetVariables`: its key, and the kind and id of its owner. */
export interface VariablePosition {
  readonly key: string;
  readonly kind: string;
  readonly id: number;
}

/** A variable that a resource sets: the name of the resource, and the value as JSON text. */
export interface SetVariable extends VariablePosition {
  readonly [column: string]: unknown;
  readonly name: string;
  readonly value: string;
}

const owners: readonly ResourceMapping[] = [
  regionMapping,
  cellMapping,
  labelMapping,
  ...deviceKinds.map(({ mapping }) => mapping),
  userMapping,
];

/** Encodes a position as an opaque marker. */
const encodePosition = ({ key, kind, id }: VariablePosition): string =>
  Buffer.from(JSON.stringify([key, kind, id])).toString('base64url');

/** @throws InventoryError 400 if the marker is malformed */
function decodePosition(marker: string): VariablePosition {
  const [key, kind, id] = parseArray(Buffer.from(marker, 'base64url').toString());
  if (typeof key !== 'string' || typeof kind !== 'string' || typeof id !== 'number' || !isStorable(key, kind))
    throw InventoryError.invalid('marker', 'invalid_format', 'must come from a link of this list');
  return { key, kind, id };
}

const isStorable = (...texts: readonly string[]): boolean =>
  texts.every((text) => text.isWellFormed() && !text.includes('\u0000'));

function parseArray(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/**
 * Reads the variables that resources set for a key, or for a prefix followed by `*`, ordered by key, kind and id.
 * Variables that are hidden from the caller are left out.
 */
async function readSetVariables(
  ctx: RequestContext,
  on: Queryable,
  projectId: string,
  pattern: string,
  after: VariablePosition | undefined,
  limit: number,
): Promise<SetVariable[]> {
  const isAfter = after
    ? sql`(v.key, v.object_type, v.object_id) > (${after.key}, ${after.kind}, ${after.id}::bigint)`
    : sql`true`;
  return on.rows<SetVariable>(sql`
    SELECT p.key, p.kind, p.id, o.name, o.value FROM (
      SELECT v.key, v.object_type AS kind, v.object_id AS id FROM variable_correlations v
      WHERE v.project_id = ${projectId} AND ${matches(pattern)} AND ${isVisible(ctx.visibility, sql`v.key`)} AND ${canSeeOwner(ctx)} AND ${isAfter}
      ORDER BY v.key, v.object_type, v.object_id LIMIT ${limit}
    ) p CROSS JOIN LATERAL (${join(
      owners.map((mapping) => selectOwner(mapping, projectId)),
      ' UNION ALL ',
    )}) o
    ORDER BY p.key, p.kind, p.id`);
}

/** Whether the caller may see the owner of the variable `v`. */
const canSeeOwner = ({ isRestricted, principal }: RequestContext): Sql =>
  isRestricted === true
    ? sql`(v.object_type <> ${userMapping.kind} OR v.object_id = ${principal.userId})`
    : sql`true`;

/** A prefix matches a range of keys. Its upper bound appends the greatest code point to the prefix. */
function matches(pattern: string): Sql {
  if (!pattern.endsWith('*')) return sql`v.key = ${pattern}`;
  const prefix = pattern.slice(0, -1);
  return sql`v.key >= ${prefix} AND v.key < ${`${prefix}\u{10FFFF}`}`;
}

const selectOwner = (mapping: ResourceMapping, projectId: string): Sql => sql`
  SELECT ${raw(`t.${mapping.nameField}`)} AS name, (t.variables -> p.key)::text AS value ${from(mapping)}
  WHERE t.project_id = ${projectId} AND t.id = p.id AND p.kind = ${mapping.kind} AND ${ofKind(mapping)}
    AND t.variables ? p.key`;

interface Definition {
  readonly [column: string]: unknown;
  readonly project_id: string;
  readonly key: string;
  readonly schema: string;
}

interface Violations {
  readonly items: string[];
  /** The position after which the next page begins; undefined on the last page. */
  readonly next: VariablePosition | undefined;
}

const CHUNK_SIZE = 500;
/** Limit on the values that are validated for one page. If few of them are invalid, the page ends before it is full. */
const MAX_VALIDATED = 100_000;
/** The page ends after the chunk with which it has taken this long. */
const MAX_PAGE_MS = 1_000;

/** Lists values that violate a definition. Such a value is older than the definition or its last change. */
@Injectable()
export class ViolationsService {
  constructor(
    private readonly database: Database,
    private readonly schemas: JsonSchemaValidator,
  ) {}

  /**
   * A page of the values that violate a definition, where they are set.
   * @throws InventoryError 400, 404 if the caller cannot see the definition
   */
  async list(ctx: RequestContext, id: number, url: ListUrl): Promise<ListPage> {
    return this.readPage(ctx, url, async (reader) => {
      const [definition] = await reader.rows<Definition>(sql`
        SELECT t.project_id, t.key, t.schema::text AS schema ${from(variableDefinitionMapping)}
        WHERE ${inScope(variableDefinitionMapping, await scopeOfResource(ctx, variableDefinitionMapping, id, reader))}
          AND ${hasVisibleKeys(variableDefinitionMapping, ctx)} AND t.id = ${id}`);
      if (!definition) throw InventoryError.notFound(variableDefinitionMapping.kind, id);
      return definition;
    });
  }

  /**
   * A page of the values that would violate a definition that is not stored.
   * @throws InventoryError 400, also for a schema that cannot be used
   */
  async preview(
    ctx: RequestContext,
    { key, schema }: CreateVariableDefinition,
    url: ListUrl,
  ): Promise<ListPage> {
    return this.readPage(ctx, url, async (reader) => {
      await assertUsableSchema(ctx, this.schemas, schema.parsed, 'schema');
      // As it would be stored.
      const [text] = await reader.rows<{ schema: string }>(sql`SELECT ${schema.sql}::text AS schema`);
      return { project_id: ctx.projectId, key, schema: text?.schema ?? 'true' };
    });
  }

  private async readPage(
    ctx: RequestContext,
    url: ListUrl,
    readDefinition: (reader: Queryable) => Promise<Definition>,
  ): Promise<ListPage> {
    const text = parameterReader(url.parameters, ['limit', 'marker']);
    const limit = parseLimit(text('limit'), LIMITS[url.body]);
    const marker = text('marker');
    const after = marker === undefined ? undefined : decodePosition(marker);
    const definition = await readDefinition(this.database.reader(ctx));
    const { items, next } = await this.read(ctx, definition, after, limit);
    return {
      url,
      markers: { next: next && encodePosition(next), previous: undefined, last: undefined },
      items,
    };
  }

  private async read(
    ctx: RequestContext,
    { project_id: projectId, key, schema }: Definition,
    after: VariablePosition | undefined,
    limit: number,
  ): Promise<Violations> {
    const items: string[] = [];
    let last = after;
    const start = performance.now();
    for (let validated = 0; validated < MAX_VALIDATED; validated += CHUNK_SIZE) {
      const variables = await readSetVariables(
        ctx,
        this.database.reader(ctx),
        projectId,
        key,
        last,
        CHUNK_SIZE,
      );
      const { violations, endsPage } = await this.validate(schema, variables);
      for (const [i, violation] of violations.entries()) {
        const variable = variables[i];
        // The page is full and there is another item: the next page begins with it.
        if (variable && violation && items.length === limit) return { items, next: last };
        if (variable && violation) items.push(itemText(variable, violation));
        last = variable ?? last;
      }
      if (endsPage) return { items, next: last };
      if (variables.length < CHUNK_SIZE) return { items, next: undefined };
      if (performance.now() - start > MAX_PAGE_MS) return { items, next: last };
    }
    return { items, next: last };
  }

  /** A value that exceeds the timeout is reported as a violation and ends the page, because it has used its time. */
  private async validate(
    schema: string,
    variables: readonly SetVariable[],
  ): Promise<{ violations: readonly (SchemaViolation | undefined)[]; endsPage: boolean }> {
    const checks = variables.map(({ value }) => ({ schema, value }));
    try {
      return { violations: await this.schemas.validate(checks), endsPage: false };
    } catch (error) {
      if (!(error instanceof ValidationTimeoutError)) throw error;
      return { violations: [...error.violations, { path: '', message: error.message }], endsPage: true };
    }
  }
}

function itemText({ kind, id, name, key, value }: SetVariable, { path, message }: SchemaViolation): string {
  const head = JSON.stringify({ kind, id, name, key });
  return `${head.slice(0, -1)},"value":${value},${JSON.stringify({ path, message }).slice(1)}`;
}
