import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { parseIfMatch, type Precondition } from './etag';

/** The request's precondition: see `parseIfMatch`. */
export const IfMatch = createParamDecorator((_: unknown, context: ExecutionContext): Precondition => {
  return parseIfMatch(context.switchToHttp().getRequest<Request>().get('if-match'));
});
