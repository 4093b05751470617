import { Catch, type ArgumentsHost } from '@nestjs/common';
import type { Request } from 'express';
import { ErrorFilter } from '../../http/error.filter';
import { InventoryError } from '../../core/errors/inventory-error';
import type { RefusalLog } from './auth-audit-log';

/** The error filter that also reports errors to the audit log. */
@Catch()
export class AuditedErrorFilter extends ErrorFilter {
  constructor(private readonly auditLog: RefusalLog) {
    super();
  }

  override catch(thrown: unknown, host: ArgumentsHost): void {
    if (thrown instanceof InventoryError)
      this.auditLog.note(host.switchToHttp().getRequest<Request>(), thrown);
    super.catch(thrown, host);
  }
}
