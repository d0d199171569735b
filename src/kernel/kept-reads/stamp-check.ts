import { Injectable, type OnModuleInit } from '@nestjs/common';
import { StampsRepository } from './stamps.repository';

/** A table whose changes anonymous readers would not see must stop the start, not be found in production. */
@Injectable()
export class StampCheck implements OnModuleInit {
  constructor(private readonly stamps: StampsRepository) {}

  async onModuleInit(): Promise<void> {
    const declared = this.stamps.seenTables();
    const triggers = await this.stamps.triggers();
    for (const table of declared) {
      const count = declared.filter((one) => one === table).length;
      if (count > 1) throw new Error(`The table "${table}" is declared as seen by anyone ${count} times.`);
      const own = triggers.filter((one) => one === table).length;
      if (own !== 1)
        throw new Error(`The table "${table}", seen by anyone, has ${own} stamp triggers; it needs one.`);
    }
    const other = triggers.find((table) => !declared.includes(table));
    if (other)
      throw new Error(`The table "${other}" has a stamp trigger and is not declared as seen by anyone.`);
  }
}
