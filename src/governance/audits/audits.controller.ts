import { READ, write } from '../../auth/access';
import { resourceController } from '../../resources/resource.controller';
import { audits, AuditView } from './audit';
import { CreateAudit, UpdateAudit } from './audit.dto';
import { AuditsService } from './audits.service';

export const AuditsController = resourceController({
  collection: {
    definition: audits,
    view: AuditView,
    reads: READ,
    writes: write('audits'),
    conflict:
      'The name is taken (the audit can be hidden from the caller because it refers to a private variable), or the `Idempotency-Key` belongs to another request.',
  },
  create: CreateAudit,
  update: UpdateAudit,
  service: AuditsService,
});
