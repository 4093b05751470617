import { Controller, Inject, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { accessSecretMapping } from '../access-secrets/access-secret.entity';
import { projectMapping } from '../accounts/project.entity';
import { userMapping } from '../accounts/user.entity';
import { ADMIN, Ctx, READ_HISTORY, ROOT, type RouteAccess } from '../auth/access';
import { cellMapping } from '../cells/cell.entity';
import { cloudMapping } from '../clouds/cloud.entity';
import type { ProjectScope, RequestContext } from '../core/context/request-context';
import { InventoryError } from '../core/errors';
import { Database, type Queryable } from '../database/database';
import { scopeOfRecords, scopeOfResource } from '../database/resource-scope';
import { from, inScope, isReadable } from '../database/resource-sql';
import type { ResourceMapping } from '../database/resource-mapping';
import { raw, sql } from '../database/sql';
import { deviceKinds } from '../devices/device-kinds';
import { auditMapping } from '../governance/audits/audit.entity';
import { viewMapping } from '../views/saved-view.entity';
import { variableDefinitionMapping } from '../governance/definitions/variable-definition.entity';
import { listResponse, ListUrlParam } from '../http/list-response';
import { ProjectIdPipe, ResourceIdPipe } from '../http/resource-id';
import { labelMapping } from '../labels/label.entity';
import type { ListUrl } from '../lists/list-page';
import { selectionStatement } from '../lists/selection';
import { proposalMapping } from '../proposals/proposal.entity';
import { regionMapping } from '../regions/region.entity';
import { namedClass } from '../resources/members';
import { ResourceReader } from '../resources/resource-reader';
import { ListRoute, type RouteOptions } from '../resources/resource-routes';
import { changeRecords, changeRecordsOf, ChangeRecordView, isResource, recordsOf } from './change-record';
import { canSeeObject } from './visible-change';

/**
 * The base class of the controllers for `{collection}/{id}/changes`: the history of one resource, even after the
 * resource was deleted.
 */
function ResourceChangesController(mapping: ResourceMapping, reads: RouteAccess) {
  const options: RouteOptions = { definition: changeRecords, view: ChangeRecordView, reads, writes: reads };
  const idPipe = mapping.idType === 'uuid' ? ProjectIdPipe : new ResourceIdPipe(mapping);

  @ApiTags('changes')
  abstract class ResourceChangesRoutes {
    @Inject() private readonly reader!: ResourceReader;
    @Inject() private readonly database!: Database;

    @ListRoute(options, mapping)
    async list(
      @Ctx() ctx: RequestContext,
      @Param('id', idPipe) id: number | string,
      @ListUrlParam() url: ListUrl,
    ) {
      const scope = await scopeOfRecords(ctx, mapping, id, this.database.reader(ctx));
      const page = await this.reader.list(
        ctx,
        changeRecordsOf(isResource(mapping, id)),
        url,
        recordsOf(mapping, id),
        scope,
      );
      await this.assertHasHistory(ctx, id, scope);
      return listResponse(page);
    }

    /**
     * Every resource that the caller can see, or could see, has at least the record of its creation. The caller may see none
     * of them, and the resource itself: if all records name a private variable, and it no longer does.
     */
    private async assertHasHistory(
      ctx: RequestContext,
      id: number | string,
      scope: ProjectScope,
    ): Promise<void> {
      const selection = {
        kind: 'sources' as const,
        conditions: mapping.referencedVariableKeys ? [canSeeObject(ctx)] : [],
        sources: [recordsOf(mapping, id)],
      };
      const records = selectionStatement(changeRecords.mapping, scope, selection, sql`t.id`);
      const on = this.database.reader(ctx);
      const [record] = await on.rows(sql`${records} LIMIT 1`);
      if (!record && !(await this.isVisible(ctx, id, on))) throw InventoryError.notFound(mapping.kind, id);
    }

    private async isVisible(ctx: RequestContext, id: number | string, on: Queryable): Promise<boolean> {
      if (!mapping.referencedVariableKeys) return false;
      const scope = await scopeOfResource(ctx, mapping, id, on);
      const [found] = await on.rows(sql`SELECT t.id ${from(mapping)} WHERE ${inScope(mapping, scope)}
        AND ${isReadable(mapping, ctx)} AND t.id = ${id}::${raw(mapping.idType)}`);
      return found !== undefined;
    }
  }
  return ResourceChangesRoutes;
}

@Controller('v1/projects/:id/changes')
class ProjectChangesController extends ResourceChangesController(projectMapping, ROOT) {}

@Controller('v1/access-secrets/:id/changes')
class AccessSecretChangesController extends ResourceChangesController(accessSecretMapping, ADMIN) {}

@Controller('v1/clouds/:id/changes')
class CloudChangesController extends ResourceChangesController(cloudMapping, READ_HISTORY) {}

@Controller('v1/regions/:id/changes')
class RegionChangesController extends ResourceChangesController(regionMapping, READ_HISTORY) {}

@Controller('v1/cells/:id/changes')
class CellChangesController extends ResourceChangesController(cellMapping, READ_HISTORY) {}

@Controller('v1/labels/:id/changes')
class LabelChangesController extends ResourceChangesController(labelMapping, READ_HISTORY) {}

@Controller('v1/users/:id/changes')
class UserChangesController extends ResourceChangesController(userMapping, READ_HISTORY) {}

/** `v1/hosts/:id/changes`, and the same for each other kind of device. */
const deviceChangesControllers = deviceKinds.map(({ mapping, entity }) => {
  // oxlint-disable-next-line eslint-js/no-restricted-syntax -- so that a new kind has the route without an entry here
  @Controller(`v1/${mapping.collection}/:id/changes`)
  class DeviceChangesController extends ResourceChangesController(mapping, READ_HISTORY) {}
  return namedClass(`${entity.name}ChangesController`, DeviceChangesController);
});

@Controller('v1/variable-definitions/:id/changes')
class VariableDefinitionChangesController extends ResourceChangesController(
  variableDefinitionMapping,
  READ_HISTORY,
) {}

@Controller('v1/audits/:id/changes')
class AuditChangesController extends ResourceChangesController(auditMapping, READ_HISTORY) {}

@Controller('v1/views/:id/changes')
class ViewChangesController extends ResourceChangesController(viewMapping, READ_HISTORY) {}

@Controller('v1/proposals/:id/changes')
class ProposalChangesController extends ResourceChangesController(proposalMapping, READ_HISTORY) {}

/** One controller for each kind of resource that has change records. */
export const resourceChangesControllers = [
  ProjectChangesController,
  AccessSecretChangesController,
  CloudChangesController,
  RegionChangesController,
  CellChangesController,
  LabelChangesController,
  UserChangesController,
  ...deviceChangesControllers,
  VariableDefinitionChangesController,
  AuditChangesController,
  ViewChangesController,
  ProposalChangesController,
];
