import { Module } from '@nestjs/common';
import { ResourcesModule } from '../resources/resources.module';
import { SearchController } from './search.controller';
import { SearchService } from './search.service';

/** The search across all kinds. */
@Module({
  imports: [ResourcesModule],
  controllers: [SearchController],
  providers: [SearchService],
})
export class SearchModule {}
