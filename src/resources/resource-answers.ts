import { Answer } from '../shared/http/answer';
import { entityTag } from '../shared/http/etag';
import type { Shown } from './resource-reader';

/** 200 with a resource and its entity tag. */
export const ok = (shown: Shown): Answer => Answer.ok(shown.body, { etag: entityTag(shown.version) });

/** 201 with a resource, its entity tag and where it is. */
export const created = (shown: Shown): Answer =>
  Answer.created(shown.body, shown.url, { etag: entityTag(shown.version) });
