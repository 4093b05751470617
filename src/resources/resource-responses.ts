import { Answer } from '../http/response';
import { enclosed } from '../http/list-response';
import { entityTag } from '../http/etag';
import type { Shown } from './resource-reader';

/** 200 with a resource and its entity tag; what was has none, because nothing can be written to it. */
export const ok = ({ body, version, past }: Shown): Answer =>
  Answer.ok(body, past ? {} : { etag: entityTag(version) });

/** 201 with several resources, in the order in which they were asked for. */
export const allCreated = (shown: readonly Shown[]): Answer =>
  Answer.createdAll(
    enclosed(
      '[',
      shown.map(({ body }) => body),
      ']',
    ),
  );

/** 201 with a resource, its entity tag and where it is. */
export const created = (shown: Shown): Answer =>
  Answer.created(shown.body, shown.url, { etag: entityTag(shown.version) });
