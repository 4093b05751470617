import { applyDecorators, Injectable } from '@nestjs/common';
import { projectMapping } from '../accounts/project.entity';
import type { RequestContext } from '../core/context/request-context';
import type { Queryable } from '../database/database';
import type { Sql } from '../database/sql';
import { anyDeviceMapping, deviceFilters, deviceInheritance } from '../devices/device-kind';
import { deviceKindNames } from '../devices/device-kinds';
import { textFilter } from '../lists/list-filter';
import type { ListParameters, UnpagedQuery } from '../lists/list-query';
import { selectionStatement, selectsAll } from '../lists/selection';
import { ApiProjectId, ApiSelection } from '../resources/api-parameters';
import { ListFilterCompiler } from '../resources/list-filter-compiler';
import { selectingParameters } from '../resources/resource-definition';
import { ResourceReader } from '../resources/resource-reader';

/** Devices of all kinds, with the filters of the lists of devices and a filter by kind. */
const selectable = {
  mapping: anyDeviceMapping,
  inheritance: deviceInheritance,
  filters: [
    {
      ...textFilter('kind', 'Devices of this kind.', 'host'),
      values: deviceKindNames,
    },
    ...deviceFilters,
  ],
  filtersVariables: true,
  ofSeveralKinds: true as const,
};

/** The query parameters that select devices, and further ones. */
export function selectionParameters(others: readonly string[]): ListParameters {
  const selecting = selectingParameters(selectable);
  return {
    ...selecting,
    common: ['limit', 'project_id'],
    others: [...selecting.others, ...others.map((name) => ({ name }))],
  };
}

/** Documents the query parameters that select devices. */
export const ApiDeviceSelection = () =>
  applyDecorators(
    ApiSelection(selectable),
    ApiProjectId(
      'The project whose devices are counted. The default is the project of the request, also for a root user.',
    ),
  );

/** The devices of one project that statistics are about. */
export interface DeviceSelection {
  readonly projectId: string;
  /** A query for the given columns of the selected rows `t` of `devices`. */
  readonly rows: (columns: Sql) => Sql;
  /** Whether these are all devices of the project. */
  readonly isWhole: boolean;
}

/** Compiles the query parameters that select devices. */
@Injectable()
export class DeviceSelector {
  constructor(
    private readonly filters: ListFilterCompiler,
    private readonly reader: ResourceReader,
  ) {}

  /** The project of the statistics. @throws InventoryError 404 for a project that the caller cannot see */
  async projectOf(ctx: RequestContext, { projectId }: UnpagedQuery): Promise<string> {
    if (projectId !== undefined) await this.reader.scopeOf(ctx, projectMapping, projectId);
    return projectId ?? ctx.projectId;
  }

  /**
   * Compiles filters.
   * @throws InventoryError 400 for a malformed filter, 404 for a filter by a resource that the caller cannot see
   */
  async select(
    ctx: RequestContext,
    query: UnpagedQuery,
    projectId: string,
    on: Queryable,
  ): Promise<DeviceSelection> {
    const scope = { project: projectId };
    const selection = await this.filters.compile(ctx, selectable, query, scope, on);
    return {
      projectId,
      rows: (columns) => selectionStatement(anyDeviceMapping, scope, selection, columns),
      isWhole: selectsAll(selection),
    };
  }
}
