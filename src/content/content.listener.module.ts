import { Module } from '@nestjs/common';
import { ContentGatesRepository } from './content-gates.repository';
import { ContentListener } from './content.listener';

/** For every process that publishes what content listens to. */
@Module({ providers: [ContentGatesRepository, ContentListener] })
export class ContentListenerModule {}
