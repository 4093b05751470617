import type { WriteResult } from '../../core/change-preview';
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../../core/context/request-context';
import { InventoryError } from '../../core/errors/inventory-error';
import type { Precondition } from '../../http/etag';
import { JsonInput } from '../../database/json-input';
import type { Queryable } from '../../database/database';
import { sql } from '../../database/sql';
import { from, ofKind } from '../../database/resource-sql';
import { asksForWhole, parseFilters } from '../../variables/filter/filter-parser';
import { isObject } from '../../core/context/variable-key';
import { VariablesService, type Variables } from '../../variables/variables.service';
import type { LevelReference, Remediation } from './audit.dto';
import { ExpectedValues } from './expected-values';
import { levelOf } from './remediation-levels';
import { storedAudit, type StoredAudit } from './stored-audit';

/** A variable and the value that it is expected to have. */
interface Expected {
  readonly key: string;
  readonly value: JsonInput | undefined;
}

/** Sets what an audit expects, where its caller says. */
@Injectable()
export class RemediationService {
  constructor(
    private readonly variables: VariablesService,
    private readonly expected: ExpectedValues,
  ) {}

  /**
   * Sets the audit's variable at a level, as a change of that level's variables like any other.
   * @returns the level's own variables
   * @throws InventoryError 400 if the audit does not say what to set, 403, 404, 405 for a level that is not there, 412
   */
  async remediate(
    ctx: RequestContext,
    id: number,
    { level, value: given, note }: Remediation,
    precondition: Precondition,
  ): Promise<WriteResult<Variables>> {
    // The level's own service takes no note: the variables of a level have none.
    const reason = ctx.reason ?? (note?.trim() === '' ? undefined : note?.trim());
    // Within the change: a request that comes again is answered, whatever has become of the audit.
    const found = async (on: Queryable): Promise<JsonInput> => {
      const audit = await storedAudit(ctx, id, on);
      const { key, value = nothingToSet() } = expectedOf(audit, given);
      await this.requireExpected(on, audit, value);
      await requireLevel(on, audit, level);
      return value.under(key);
    };
    return this.variables.putFound({ ...ctx, reason }, levelOf(level.kind), level.id, found, precondition);
  }

  /** What is not as the audit expects would leave it failing. @throws InventoryError 400 */
  private async requireExpected(
    on: Queryable,
    { expectation, schemaText }: StoredAudit,
    value: JsonInput,
  ): Promise<void> {
    const fault = await this.expected.fault(on, expectation, value, schemaText ?? undefined);
    if (fault)
      throw InventoryError.invalid(`value${fault.path}`, `${fault.message} (expectation of the audit)`);
  }
}

/** The level stands in the audit's project. @throws InventoryError 405 */
async function requireLevel(
  on: Queryable,
  { projectId }: StoredAudit,
  { kind, id }: LevelReference,
): Promise<void> {
  const { shape } = levelOf(kind).listing;
  const rows = await on.rows(
    sql`SELECT ${from(shape)} WHERE t.project_id = ${projectId} AND ${ofKind(shape)} AND t.id = ${id}`,
  );
  if (rows.length === 0)
    throw InventoryError.forbiddenByInventory('level', `there is no ${kind} ${String(id)} in this project`);
}

function nothingToSet(): never {
  throw InventoryError.invalid('value', 'must be given: the audit does not say what its variable is to be');
}

/**
 * What a remediation sets: what the body says, else the audit's own `value`, else what follows from the expectation.
 * @throws InventoryError 400 for an audit of several variables
 */
function expectedOf(audit: StoredAudit, given: JsonInput | undefined): Expected {
  const { expectation, expectationText } = audit;
  const stored = (path: readonly string[], parsed: unknown) => JsonInput.at(expectationText, path, parsed);
  const own = 'value' in expectation ? stored(['value'], expectation.value) : undefined;
  if ('key' in expectation) {
    const { key, schema } = expectation;
    const said = ['const', 'default'].find((member) => isObject(schema) && Object.hasOwn(schema, member));
    const ofSchema =
      said !== undefined && isObject(schema) ? stored(['schema', said], schema[said]) : undefined;
    return { key, value: given ?? own ?? ofSchema };
  }
  const filters = parseFilters(expectation.vars);
  const [first, ...others] = filters;
  if (!first || others.some(({ key }) => key !== first.key))
    throw InventoryError.invalid(
      'id',
      'the audit expects something of several variables: set each by itself',
    );
  const whole = others.length === 0 && asksForWhole(first) ? first.value : undefined;
  const ofFilter = whole === undefined ? undefined : JsonInput.at(whole, [], JSON.parse(whole));
  return { key: first.key, value: given ?? own ?? ofFilter };
}
