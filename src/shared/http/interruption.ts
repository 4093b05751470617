import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { catchError, of, throwError, type Observable } from 'rxjs';
import type { Answer } from './answer';

/**
 * Thrown to end a request's work with an answer: what is within a transaction is rolled back by it, as by every
 * error, and yet the client gets what was found out.
 */
export class Interruption extends Error {
  constructor(readonly answer: Answer) {
    super('interrupted by an answer');
  }
}

/** Answers what the work was interrupted with. */
@Injectable()
export class InterruptionInterceptor implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next
      .handle()
      .pipe(
        catchError((error: unknown) =>
          error instanceof Interruption ? of(error.answer) : throwError(() => error),
        ),
      );
  }
}
