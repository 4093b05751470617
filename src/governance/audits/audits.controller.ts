import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { READ, write } from '../../auth/access';
import { ResourceController } from '../../resources/resource.controller';
import { audits, AuditView } from './audit.entity';
import { CreateAudit, UpdateAudit } from './audit.dto';
import { AuditsService } from './audits.service';

@ApiTags('audits')
@Controller('v1/audits')
export class AuditsController extends ResourceController({
  definition: audits,
  view: AuditView,
  create: CreateAudit,
  update: UpdateAudit,
  reads: READ,
  writes: write('audits'),
  conflict:
    'The name is taken (the audit can be hidden from the caller because it refers to a private variable), or the `Idempotency-Key` belongs to another request.',
}) {
  constructor(protected readonly resources: AuditsService) {
    super();
  }
}
