import { Module } from '@nestjs/common';
import { Origins } from './origins';
import { OriginsRepository } from './origins.repository';

@Module({ providers: [OriginsRepository, Origins], exports: [Origins] })
export class OriginsModule {}
