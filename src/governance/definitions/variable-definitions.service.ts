import { Injectable } from '@nestjs/common';
import type { ChangeSet } from '../../changes/change-set';
import { deletion, type Operation } from '../../changes/operation';
import type { RequestContext } from '../../core/context/request-context';
import type { Precondition } from '../../http/preconditions';
import { assertUsableSchema, JsonSchemaValidator } from '../schemas/schema-validation';
import { ResourceReader, type RenderedResource } from '../../resources/resource-reader';
import {
  VariableDefinition,
  variableDefinitions,
  variableDefinitionMapping,
} from './variable-definition.entity';
import type { CreateVariableDefinition, UpdateVariableDefinition } from './variable-definition.dto';

/** Reads and writes variable definitions. `DefinitionPolicy` enforces them. */
@Injectable()
export class VariableDefinitionsService {
  constructor(
    private readonly reader: ResourceReader,
    private readonly schemas: JsonSchemaValidator,
  ) {}

  /** @throws InventoryError 400 for a schema that cannot be used, 409 if the project already has a definition of this key */
  prepareCreate(ctx: RequestContext, body: CreateVariableDefinition): Operation<RenderedResource> {
    const { key, description, schema } = body;
    const run = async (change: ChangeSet) => {
      const values = { project_id: ctx.projectId, key, description, schema };
      const id = await change.insert(variableDefinitionMapping, VariableDefinition, values);
      return this.reader.showWritten(ctx, variableDefinitions, id, change.tx);
    };
    return { check: () => assertUsableSchema(ctx, this.schemas, schema.parsed, 'schema'), run };
  }

  /** @throws InventoryError 400 for a schema that cannot be used, 404, 409, 412 */
  prepareUpdate(
    ctx: RequestContext,
    id: number,
    { key, description, schema }: UpdateVariableDefinition,
    precondition: Precondition,
  ): Operation<RenderedResource> {
    const run = async (change: ChangeSet) => {
      const definition = await change.lock(variableDefinitionMapping, id, precondition);
      await change.update(definition, VariableDefinition, { key, description, schema });
      return this.reader.showWritten(ctx, variableDefinitions, id, change.tx);
    };
    return { check: schema && (() => assertUsableSchema(ctx, this.schemas, schema.parsed, 'schema')), run };
  }

  /** @throws InventoryError 404, 412 */
  prepareDelete(_ctx: RequestContext, id: number, precondition: Precondition): Operation<void> {
    return deletion(variableDefinitionMapping, id, precondition);
  }
}
