import { Inject, Param, Req, type Type } from '@nestjs/common';
import type { Request } from 'express';
import { type RouteAccess, Ctx } from '../auth/access';
import type { Operation } from '../changes/operation';
import { prepareItems } from '../changes/item-operations';
import { PreparedWrite } from '../writes/prepared-write';
import type { ResourceMapping } from '../database/resource-mapping';
import type { RequestContext } from '../core/context/request-context';
import { InventoryError } from '../core/errors';
import { JsonResponse } from '../http/response';
import { warningHeader } from '../http/warnings';
import { listResponse, ListUrlParam } from '../http/list-response';
import type { ListUrl } from '../lists/list-page';
import { entityTag, representationTag } from '../http/entity-tag';
import { IfMatch, type Precondition } from '../http/preconditions';
import { ProjectIdPipe, ResourceIdPipe } from '../http/resource-id';
import type { QueryParameters } from '../core/parameters';
import { ValidBodies, ValidBody, type OneOrMany } from '../http/body-validation';
import { type RenderedResource, ResourceReader } from './resource-reader';
import {
  CreateRoute,
  createsSeveral,
  DeleteRoute,
  ListRoute,
  ShowRoute,
  UpdateRoute,
  type RouteOptions,
} from './resource-routes';
import { joinItems } from '../http/list-response';

/** 200 with a resource that was read, and the entity tag of its body. A past state has no tag, because it cannot be written. */
export const resourceResponse = ({ body, version, past }: RenderedResource): JsonResponse =>
  JsonResponse.ok(body, past ? {} : { etag: representationTag(version, body) });

/** An update of a resource, which responds with 200 and the resource. */
export const updateOf = (operation: Operation<RenderedResource>): PreparedWrite =>
  PreparedWrite.update(operation, ({ body, version, warnings }) =>
    JsonResponse.ok(body, { etag: entityTag(version), ...warningHeader(warnings) }),
  );

/** 201 with several resources, in the order of the request. */
function createdManyResponse(resources: readonly RenderedResource[]): JsonResponse {
  const bodies = resources.map(({ body }) => body);
  const warnings = resources.flatMap((resource) => resource.warnings ?? []);
  return JsonResponse.createdAll(joinItems('[', bodies, ']'), warningHeader(warnings));
}

/**
 * A write that responds with 201, a resource, its entity tag and its URL.
 * @param creates the kind of the resource, if the operation creates it
 */
export const creationOf = (
  operation: Operation<RenderedResource>,
  creates?: ResourceMapping,
): PreparedWrite =>
  PreparedWrite.run(
    operation,
    ({ body, url, version, warnings }) =>
      JsonResponse.created(body, url, { etag: entityTag(version), ...warningHeader(warnings) }),
    creates,
  );

/** 204 without a body. */
export const noContentResponse = (): JsonResponse => JsonResponse.noContent();

/** The operations of a collection. Reads are the same for all collections; writes differ. */
export interface ResourceService<C, U, I extends number | string = number> {
  /** Checks whether the caller's roles allow the creation. @throws InventoryError 400, 403 */
  prepareCreate(ctx: RequestContext, body: C): Operation<RenderedResource>;
  /** @throws InventoryError 400, 403 */
  prepareUpdate(ctx: RequestContext, id: I, body: U, precondition: Precondition): Operation<RenderedResource>;
  prepareDelete(ctx: RequestContext, id: I, precondition: Precondition): Operation<void>;
  /** Reads one resource, if its response differs from the items of lists. */
  show?(ctx: RequestContext, id: I, query: QueryParameters): Promise<RenderedResource>;
}

/** A collection with five routes. */
interface ResourceRouteOptions<C extends object, U extends object> extends RouteOptions {
  readonly create: Type<C>;
  readonly update: Type<U>;
  /** The access to updates, if it differs from that to creations and deletions. */
  readonly updates?: RouteAccess;
}

/** Prepares the creation of one resource or of several. */
export function prepareCreation<C>(
  ctx: RequestContext,
  body: OneOrMany<C>,
  mapping: ResourceMapping,
  resources: Pick<ResourceService<C, never>, 'prepareCreate'>,
): PreparedWrite {
  if ('one' in body) return creationOf(resources.prepareCreate(ctx, body.one), mapping);
  const items = body.many.map((item) => () => resources.prepareCreate(ctx, item));
  return PreparedWrite.run(prepareItems(items), createdManyResponse);
}

/**
 * The base class of a collection's controller, with the routes create, list, show, update and delete. The collection's
 * class has the path, the service, and further routes as methods.
 */
export function ResourceController<C extends object, U extends object>(options: ResourceRouteOptions<C, U>) {
  const { definition, create, update, writes, updates = writes } = options;
  const { mapping } = definition;
  const idPipe = mapping.idType === 'uuid' ? ProjectIdPipe : new ResourceIdPipe(mapping);

  abstract class ResourceRoutes {
    @Inject() protected readonly reader!: ResourceReader;
    /** The service of the collection. */
    protected abstract readonly resources: ResourceService<C, U, number | string>;

    @CreateRoute(options, create)
    create(@Ctx() ctx: RequestContext, @ValidBodies(create) body: OneOrMany<C>): PreparedWrite {
      if ('many' in body && !createsSeveral(mapping))
        throw InventoryError.invalidBody(
          'invalid_type',
          `This endpoint accepts one ${mapping.kind} per request.`,
        );
      return prepareCreation(ctx, body, mapping, this.resources);
    }

    @ListRoute(options)
    async list(@Ctx() ctx: RequestContext, @ListUrlParam() url: ListUrl) {
      return listResponse(await this.reader.list(ctx, definition, url));
    }

    @ShowRoute(options)
    async show(
      @Ctx() ctx: RequestContext,
      @Param('id', idPipe) id: number | string,
      @Req() request: Request,
    ) {
      const { query } = request;
      const resource = this.resources.show?.(ctx, id, query) ?? this.reader.show(ctx, definition, id, query);
      return resourceResponse(await resource);
    }

    @UpdateRoute(options, update, updates)
    update(
      @Ctx() ctx: RequestContext,
      @Param('id', idPipe) id: number | string,
      @ValidBody(update) body: U,
      @IfMatch() ifMatch: Precondition,
    ): PreparedWrite {
      return updateOf(this.resources.prepareUpdate(ctx, id, body, ifMatch));
    }

    @DeleteRoute(options)
    delete(
      @Ctx() ctx: RequestContext,
      @Param('id', idPipe) id: number | string,
      @IfMatch() ifMatch: Precondition,
    ): PreparedWrite {
      return PreparedWrite.run(this.resources.prepareDelete(ctx, id, ifMatch), noContentResponse);
    }
  }
  return ResourceRoutes;
}
