import { Module, type DynamicModule } from '@nestjs/common';
import type { Environment } from '../config/environment';
import { ResourcesModule } from '../resources/resources.module';
import { ExportController } from './export/export.controller';
import { ExportService } from './export/export.service';
import { EXPORT_LIMITS, ExportTurns, mostExports, type ExportLimits } from './export/export-turns';

/** Whole inventories at once. */
@Module({})
export class BulkModule {
  static with({ DATABASE_POOL_SIZE, EXPORT_STALL_SECONDS }: Environment): DynamicModule {
    const limits: ExportLimits = {
      mostAtOnce: mostExports(DATABASE_POOL_SIZE),
      patience: EXPORT_STALL_SECONDS,
    };
    return {
      module: BulkModule,
      imports: [ResourcesModule],
      controllers: [ExportController],
      providers: [ExportService, ExportTurns, { provide: EXPORT_LIMITS, useValue: limits }],
    };
  }
}
