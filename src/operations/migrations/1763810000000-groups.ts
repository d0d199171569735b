import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Groups are searched by name, requests to join say why, and memberships that end are counted quickly. */
export class Groups1763810000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

const UP = `
alter table groups add "nameKey" text;
update groups set "nameKey" = lower(name);
alter table groups alter "nameKey" set not null;
create index "groups_position" on groups ("PlatformId", position, id);

alter table group_members add reason text;
create index "group_members_expiresAt" on group_members ("GroupId", "expiresAt") where "expiresAt" is not null;
`;

const DOWN = `
drop index "group_members_expiresAt";
alter table group_members drop reason;
drop index "groups_position";
alter table groups drop "nameKey";
`;
