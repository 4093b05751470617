import { Controller, Get, Param } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiResponse, ApiTags } from '@nestjs/swagger';
import { Access, Ctx, READ } from '../../auth/access';
import type { RequestContext } from '../../core/context/request-context';
import { ApiErrors } from '../../http/api-errors';
import { ResourceIdPipe } from '../../http/resource-id';
import { TimeProperty } from '../../http/time-property';
import { ApiId } from '../../resources/resource-routes';
import { auditMapping } from './audit.entity';
import { PastRunsService, MAX_KEPT_LOCATIONS, MAX_KEPT_RUNS } from './past-runs.service';

class FailingRegionView {
  @ApiProperty({ type: 'integer', format: 'int64', example: 1 })
  id!: number;

  @ApiProperty({ example: 'dfw', description: 'The name of the region at the time of the run.' })
  name!: string;

  @ApiProperty({ type: 'integer', example: 12 })
  devices!: number;

  @ApiProperty({ type: 'integer', example: 1 })
  failed!: number;
}

class LocationNameView {
  @ApiProperty({ type: 'integer', format: 'int64', example: 1 })
  id!: number;

  @ApiProperty({ example: 'dfw', description: 'The name of the region at the time of the run.' })
  name!: string;
}

class FailingCellView {
  @ApiProperty({ type: 'integer', format: 'int64', example: 1 })
  id!: number;

  @ApiProperty({ example: 'rack-1', description: 'The name of the cell at the time of the run.' })
  name!: string;

  @ApiProperty({ type: LocationNameView })
  region!: LocationNameView;

  @ApiProperty({ type: 'integer', example: 12 })
  devices!: number;

  @ApiProperty({ type: 'integer', example: 1 })
  failed!: number;
}

class PastRunView {
  @TimeProperty({ example: '2026-03-01T12:00:00.000000' })
  created_at!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'alice',
    description: 'Who ran it; `null` if the settings of the project hide other users from the caller.',
  })
  username!: string | null;

  @ApiProperty({
    type: 'integer',
    example: 12,
    description: 'The number of devices that the audit targeted.',
  })
  devices!: number;

  @ApiProperty({ type: 'integer', example: 1 })
  failed!: number;

  @ApiProperty({
    type: [FailingRegionView],
    description: `The regions with failing devices, the most first; at most ${String(MAX_KEPT_LOCATIONS)}.`,
  })
  regions!: FailingRegionView[];

  @ApiProperty({
    type: [FailingCellView],
    description: `The cells with failing devices, the most first; at most ${String(MAX_KEPT_LOCATIONS)}.`,
  })
  cells!: FailingCellView[];
}

/** The past runs of an audit. */
class PastRunsView {
  @ApiProperty({ type: [PastRunView], description: 'The latest first.' })
  items!: PastRunView[];
}

@ApiTags('audits')
@Controller('v1/audits/:id/runs')
export class PastRunsController {
  constructor(private readonly runs: PastRunsService) {}

  @Get()
  @Access(READ)
  @ApiOperation({
    operationId: 'auditsListRuns',
    summary: 'List the past runs of an audit',
    description: `The last ${String(MAX_KEPT_RUNS)} runs of an audit are kept. Runs before a change of what it checks are not listed.`,
  })
  @ApiId(auditMapping)
  @ApiResponse({ status: 200, description: 'The runs.', type: PastRunsView })
  @ApiErrors(400, 401, 404)
  async list(@Ctx() ctx: RequestContext, @Param('id', new ResourceIdPipe(auditMapping)) id: number) {
    return { items: await this.runs.list(ctx, id) };
  }
}
