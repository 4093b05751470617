import {
  applyDecorators,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { Response } from 'express';
import type { Observable } from 'rxjs';

/** When a route was deprecated, the earliest time at which it may be removed, and the path that replaces it. */
export interface DeprecatedRoute {
  readonly since: Date;
  readonly sunset: Date;
  readonly successor: string;
}

/** Announces the deprecation in each response, also in errors of the route. */
class DeprecationInterceptor implements NestInterceptor {
  constructor(private readonly route: DeprecatedRoute) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { since, sunset, successor } = this.route;
    const response = context.switchToHttp().getResponse<Response>();
    // RFC 9745: seconds since 1970. RFC 8594: a date.
    response.setHeader('deprecation', `@${String(since.getTime() / 1_000)}`);
    response.setHeader('sunset', sunset.toUTCString());
    response.setHeader('link', `<${successor}>; rel="successor-version"`);
    return next.handle();
  }
}

/** Marks a route as deprecated: see docs/api/versioning.md. */
export const Deprecated = (route: DeprecatedRoute) =>
  applyDecorators(UseInterceptors(new DeprecationInterceptor(route)));
