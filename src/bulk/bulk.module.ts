import { Module } from '@nestjs/common';
import { LabelsModule } from '../labels/labels.module';
import { ChangesModule } from '../changes/changes.module';
import { VariablesModule } from '../variables/variables.module';
import { ResourcesModule } from '../resources/resources.module';
import { ExportController } from './export/export.controller';
import { ExportService } from './export/export.service';
import { ImportController } from './import/import.controller';
import { ImportService } from './import/import.service';
import { SimilarKeys } from './import/similar-keys';

/** Import and export of whole inventories. */
@Module({
  imports: [ChangesModule, VariablesModule, ResourcesModule, LabelsModule],
  controllers: [ExportController, ImportController],
  providers: [ExportService, ImportService, SimilarKeys],
})
export class BulkModule {}
