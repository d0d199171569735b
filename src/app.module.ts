import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { EventRelayModule } from '#libs/events';
import { AccessCheck } from '#libs/http';
import { AccessTagsModule } from './access-tags/access-tags.module';
import { AdsModule } from './ads/ads.module';
import { AuditModule } from './kernel/audit/audit.module';
import { AuthModule } from './auth/auth.module';
import { ChatModule } from './chat/chat.module';
import { CollectionsModule } from './collections/collections.module';
import { ContentModule } from './content/content.module';
import { CoreModule, type Resources } from './operations/process/core.module';
import { EmbedsModule } from './embeds/embeds.module';
import { GroupsModule } from './groups/groups.module';
import { HealthModule } from './operations/health/health.module';
import { IdempotencyModule } from './kernel/idempotency/idempotency.module';
import { KeywordsModule } from './keywords/keywords.module';
import { PagesModule } from './operations/pages/pages.module';
import { PlatformsModule } from './platforms/platforms.module';
import { PostsModule } from './posts/posts.module';
import { PublicReadsModule } from './kernel/kept-reads/public-reads.module';
import { ReactionsModule } from './reactions/reactions.module';
import { SearchModule } from './search/search.module';
import { SessionsModule } from './sessions/sessions.module';
import { UsersModule } from './users/users.module';
import { WorkerModule } from './worker.module';

const DOMAINS: Type[] = [
  SessionsModule,
  AuditModule,
  AuthModule,
  PlatformsModule,
  UsersModule,
  AccessTagsModule,
  GroupsModule,
  KeywordsModule,
  ContentModule,
  SearchModule,
  PostsModule,
  CollectionsModule,
  AdsModule,
  ChatModule,
  ReactionsModule,
  EmbedsModule,
  PagesModule,
  HealthModule,
  PublicReadsModule,
  IdempotencyModule,
];

/** The HTTP process: every domain, and with WORKER=inline the background work too. */
@Module({})
export class AppModule {
  static forRoot(resources: Resources): DynamicModule {
    const { inlineWorker } = resources.settings;
    return {
      module: AppModule,
      imports: [
        CoreModule.forRoot(resources),
        DiscoveryModule,
        EventRelayModule,
        ...DOMAINS,
        ...(inlineWorker ? [WorkerModule] : []),
      ],
      providers: [AccessCheck],
    };
  }
}
