import { Module } from '@nestjs/common';
import { Gates } from './gates.service';

@Module({ providers: [Gates], exports: [Gates] })
export class GatesModule {}
