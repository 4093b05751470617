import { Catch, type ArgumentsHost } from '@nestjs/common';
import type { Request } from 'express';
import { ErrorFilter } from '../../http/error.filter';
import { InventoryError } from '../../core/errors/inventory-error';
import type { RefusalLog } from './auth-audit-log';

/** The filter of errors, which tells the log of refusals whatever it answers. */
@Catch()
export class AuditedErrorFilter extends ErrorFilter {
  constructor(private readonly refusals: RefusalLog) {
    super();
  }

  override catch(thrown: unknown, host: ArgumentsHost): void {
    if (thrown instanceof InventoryError)
      this.refusals.note(host.switchToHttp().getRequest<Request>(), thrown);
    super.catch(thrown, host);
  }
}
