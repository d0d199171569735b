import { Module } from '@nestjs/common';
import { ChatModule } from '../chat/chat.module';
import { ContentModule } from '../content/content.module';
import { PlatformsModule } from '../platforms/platforms.module';
import { CommentReactionsController, ContentReactionsController } from './reactions.controller';
import { ReactionsRepository } from './reactions.repository';
import { ReactionsService } from './reactions.service';

@Module({
  imports: [ContentModule, ChatModule, PlatformsModule],
  controllers: [ContentReactionsController, CommentReactionsController],
  providers: [ReactionsRepository, ReactionsService],
})
export class ReactionsModule {}
