import type { WriteResult } from '../../core/change-preview';
import { Injectable } from '@nestjs/common';
import type { ChangeSet } from '../../changes/change-set';
import { ChangesService } from '../../changes/changes.service';
import type { RequestContext } from '../../core/context/request-context';
import type { Precondition } from '../../http/preconditions';
import { assertUsableSchema, JsonSchemaValidator } from '../schemas/schema-validation';
import type { ResourceCreation } from '../../resources/creation.service';
import { ResourceReader, type RenderedResource } from '../../resources/resource-reader';
import {
  type CreateVariableDefinition,
  type UpdateVariableDefinition,
  VariableDefinition,
  variableDefinitions,
  variableDefinitionShape,
} from './variable-definition';

/** Reads and writes variable definitions. `DefinitionPolicy` enforces them. */
@Injectable()
export class VariableDefinitionsService {
  constructor(
    private readonly changes: ChangesService,
    private readonly reader: ResourceReader,
    private readonly schemas: JsonSchemaValidator,
  ) {}

  /** @throws InventoryError 400 for a schema that cannot be used, 409 if the project already has a definition of this key */
  prepareCreate(ctx: RequestContext, body: CreateVariableDefinition): ResourceCreation {
    const { key, description, schema } = body;
    const make = async (change: ChangeSet) => {
      const values = { project_id: ctx.projectId, key, description, schema };
      const id = await change.insert(variableDefinitionShape, VariableDefinition, values);
      return this.reader.showWritten(ctx, variableDefinitions, id, change.tx);
    };
    return { check: () => assertUsableSchema(ctx, this.schemas, schema.parsed, 'schema'), create: make };
  }

  /** @throws InventoryError 400 for a schema that cannot be used, 404, 409, 412 */
  async update(
    ctx: RequestContext,
    id: number,
    { key, description, schema }: UpdateVariableDefinition,
    precondition: Precondition,
  ): Promise<WriteResult<RenderedResource>> {
    if (schema) await assertUsableSchema(ctx, this.schemas, schema.parsed, 'schema');
    return this.changes.write(ctx, undefined, async (change) => {
      const definition = await change.lock(variableDefinitionShape, id, precondition);
      await change.update(definition, VariableDefinition, { key, description, schema });
      return this.reader.showWritten(ctx, variableDefinitions, id, change.tx);
    });
  }

  /** @throws InventoryError 404, 412 */
  async delete(ctx: RequestContext, id: number, precondition: Precondition): Promise<WriteResult<void>> {
    return this.changes.delete(ctx, variableDefinitionShape, id, precondition);
  }
}
