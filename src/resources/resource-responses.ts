import type { WriteResult } from '../core/change-preview';
import { Answer, rendered } from '../http/response';
import { enclosed } from '../http/list-response';
import { entityTag } from '../http/etag';
import type { Shown } from './resource-reader';

/** 200 with a resource and its entity tag; what was has none, because nothing can be written to it. */
export const ok = (result: WriteResult<Shown>): Answer =>
  rendered(result, ({ body, version, past }) => Answer.ok(body, past ? {} : { etag: entityTag(version) }));

/** 201 with several resources, in the order in which they were asked for. */
export const allCreated = (result: WriteResult<readonly Shown[]>): Answer =>
  rendered(result, (shown) => {
    const bodies = shown.map(({ body }) => body);
    return Answer.createdAll(enclosed('[', bodies, ']'));
  });

/** 201 with a resource, its entity tag and where it is. */
export const created = (result: WriteResult<Shown>): Answer =>
  rendered(result, ({ body, url, version }) => Answer.created(body, url, { etag: entityTag(version) }));

/** 204 without a body. */
export const noContent = (result: WriteResult<unknown>): Answer => rendered(result, () => Answer.noContent());
