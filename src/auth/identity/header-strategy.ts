import type { Request } from 'express';
import { Strategy } from 'passport';
import type { Identity } from '../../http/request-state';

type Verify = (error: unknown, identity: Identity | false) => void;

/** A passport strategy that calls the `validate` method of its Nest provider. */
export class HeaderStrategy extends Strategy {
  constructor(private readonly verify: (request: Request, done: Verify) => void) {
    super();
  }

  override authenticate(request: Request): void {
    this.verify(request, (error, identity) => {
      if (error !== null && error !== undefined) this.error(error);
      else if (identity === false) this.fail(401);
      else this.success(identity);
    });
  }
}
