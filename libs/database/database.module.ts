import { type DynamicModule, Global, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Database } from './database';

@Global()
@Module({})
export class DatabaseModule {
  static forRoot(dataSource: DataSource): DynamicModule {
    return {
      module: DatabaseModule,
      providers: [{ provide: DataSource, useValue: dataSource }, Database],
      exports: [DataSource, Database],
    };
  }
}
