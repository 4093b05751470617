import { Module, type DynamicModule } from '@nestjs/common';
import type { Environment } from '../config/environment';
import { LabelsModule } from '../labels/labels.module';
import { ResourcesModule } from '../resources/resources.module';
import { ExportController } from './export/export.controller';
import { ExportLimiter, ExportService } from './export/export.service';
import { ImportController } from './import/import.controller';
import { IMPORT_LIMITS, ImportLimiter, type ImportLimits, ImportService } from './import/import.service';
import { TableAnalyzer } from './import/table-analyzer';
import { StaleImportCleanup } from './import/temp-dir';

/** The maximum number of concurrent imports per process. Each uses disk space, and at its end a database connection. */
const MAX_CONCURRENT_IMPORTS = 4;

/** Import and export of whole inventories. */
@Module({})
export class BulkModule {
  static with({ IMPORT_LIMIT_BYTES }: Environment): DynamicModule {
    const importLimits: ImportLimits = {
      maxBytes: IMPORT_LIMIT_BYTES,
      maxConcurrent: MAX_CONCURRENT_IMPORTS,
    };
    return {
      module: BulkModule,
      imports: [ResourcesModule, LabelsModule],
      controllers: [ExportController, ImportController],
      providers: [
        ExportService,
        ExportLimiter,
        ImportService,
        ImportLimiter,
        StaleImportCleanup,
        TableAnalyzer,
        { provide: IMPORT_LIMITS, useValue: importLimits },
      ],
    };
  }
}
