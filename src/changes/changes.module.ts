import { Module } from '@nestjs/common';
import { Changes } from './changes.service';

@Module({ providers: [Changes], exports: [Changes] })
export class ChangesModule {}
