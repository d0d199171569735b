import { Module } from '@nestjs/common';
import { AuthModule } from './auth.module';
import { AuthProcessor } from './auth.processor';

@Module({ imports: [AuthModule], providers: [AuthProcessor] })
export class AuthWorkerModule {}
