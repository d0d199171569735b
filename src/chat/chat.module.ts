import { Module } from '@nestjs/common';
import { ContentModule } from '../content/content.module';
import { ModerationModule } from '../moderation/moderation.module';
import { PlatformsModule } from '../platforms/platforms.module';
import { ChatController } from './chat.controller';
import { ChatRepository } from './chat.repository';
import { ChatService } from './chat.service';

@Module({
  imports: [ContentModule, ModerationModule, PlatformsModule],
  controllers: [ChatController],
  providers: [ChatRepository, ChatService],
  exports: [ChatService],
})
export class ChatModule {}
