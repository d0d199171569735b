import { Module } from '@nestjs/common';
import { CollectionGatesRepository } from './collection-gates.repository';
import { CollectionsListener } from './collections.listener';

/** For every process that publishes what collections listen to. */
@Module({ providers: [CollectionGatesRepository, CollectionsListener] })
export class CollectionsListenerModule {}
