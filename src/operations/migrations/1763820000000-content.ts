import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Posts, ads, what moderation knows, views by day, the orders of lists, the indexes of the search, and the stamp
 * that says whether what anonymous readers were answered before still holds.
 */
export class Content1763820000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
    await runner.query(SEARCH_UP);
    for (const [table, columns] of Object.entries(STAMPED)) await runner.query(stampTrigger(table, columns));
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of Object.keys(STAMPED)) await runner.query(`drop trigger "${table}_stamp" on ${table}`);
    await runner.query(SEARCH_DOWN);
    await runner.query(DOWN);
  }
}

/** What may stand before a word without being a part of it. */
const MARKS = `!"#$%&()*+,-./:;<=>?@[]^_{|}~¡¿§«»“”„‘’‹›…–—·•、。「」『』【】（），：；！？،؛؟`;

const UP = `
alter table contents
  add pinned boolean not null default false,
  add "commentsLocked" boolean not null default false,
  add "isEdited" boolean not null default false,
  add "editedAt" timestamptz(3),
  add "lastActivityAt" timestamptz(3) not null default now();
update contents c set "lastActivityAt" =
  coalesce((select max(m."createdAt") from comments m where m."ContentId" = c.id), c."createdAt");

create index "contents_recent" on contents ("PlatformId", coalesce("publishedDate", "createdAt") desc, id desc)
  where "deletedAt" is null;
-- Totals of lists are counted in it alone: it has whatever the access rule and the filters ask of an item.
create index "contents_listed" on contents ("PlatformId") include (id, "UserId", type, visibility, featured,
  "publishedDate", "expireDate", "moderationCategory", "awaitsApproval", "gateClosed", "requiredRole")
  where "deletedAt" is null;
create index "contents_createdAt" on contents ("PlatformId", "createdAt" desc, id desc) where "deletedAt" is null;
create index "contents_title" on contents ("PlatformId", "titleKey" collate "C", id) where "deletedAt" is null;
create index "contents_posts" on contents ("PlatformId", "createdAt" desc, id desc)
  where "deletedAt" is null and type = 'post';
create index "contents_publishedDate" on contents ("PlatformId", "publishedDate") where "publishedDate" is not null;
create index "contents_expireDate" on contents ("PlatformId", "expireDate") where "expireDate" is not null;

-- The counts that lists are ordered by stand apart: were they indexed in contents, each view and comment would
-- write the item into every index anew, those of its text among them. Room on the page keeps such writes short.
alter table contents set (fillfactor = 90);
create table content_ranks (
  "ContentId" integer primary key,
  "PlatformId" integer not null,
  post boolean not null,
  views integer not null,
  comments integer not null,
  "activeAt" timestamptz(3) not null,
  foreign key ("PlatformId", "ContentId") references contents ("PlatformId", id) on delete cascade
);
create index "content_ranks_views" on content_ranks ("PlatformId", views desc, "ContentId" desc);
create index "content_ranks_comments" on content_ranks ("PlatformId", comments desc, "ContentId" desc);
create index "content_ranks_activeAt" on content_ranks ("PlatformId", "activeAt" desc, "ContentId" desc) where post;
insert into content_ranks
  select id, "PlatformId", type = 'post', "viewCount", "commentCount", "lastActivityAt" from contents;
create function rank_content() returns trigger language plpgsql as $$
begin
  insert into content_ranks as k values
    (new.id, new."PlatformId", new.type = 'post', new."viewCount", new."commentCount", new."lastActivityAt")
    on conflict ("ContentId") do update set post = excluded.post, views = excluded.views,
      comments = excluded.comments, "activeAt" = excluded."activeAt";
  return null;
end $$;
create trigger "contents_rank" after insert or update of type, "viewCount", "commentCount", "lastActivityAt"
  on contents for each row execute function rank_content();

create table content_viewers (
  "PlatformId" integer not null,
  "ContentId" integer not null,
  viewer text not null,
  "viewedAt" timestamptz(3) not null,
  seconds integer,
  position integer,
  primary key ("ContentId", viewer),
  foreign key ("PlatformId", "ContentId") references contents ("PlatformId", id) on delete cascade
);
create index "content_viewers_visitors" on content_viewers ("viewedAt") where viewer like 'visitor:%';
create table content_view_days (
  "PlatformId" integer not null,
  "ContentId" integer not null,
  day date not null,
  views integer not null,
  primary key ("ContentId", day),
  foreign key ("PlatformId", "ContentId") references contents ("PlatformId", id) on delete cascade
);

alter table collections add "nameKey" text, add "searchKey" text;
update collections set "nameKey" = lower(name),
  "searchKey" = lower(concat_ws(' ', name, slug, regexp_replace(description, '<[^>]*>', ' ', 'g')));
alter table collections alter "nameKey" set not null, alter "searchKey" set not null;

alter table comments add "moderationRule" text, add "deletedById" integer,
  add foreign key ("PlatformId", "deletedById") references users ("PlatformId", id);
create index "comments_author" on comments ("UserId", "createdAt");

-- Who wrote what within a day, to notice one text from many people.
create table written_texts (
  "PlatformId" integer not null,
  "textKey" text not null,
  "UserId" integer not null,
  "writtenAt" timestamptz(3) not null,
  primary key ("PlatformId", "textKey", "UserId"),
  foreign key ("PlatformId", "UserId") references users ("PlatformId", id) on delete cascade
);
create index "written_texts_writtenAt" on written_texts ("writtenAt");

create table ads (
  id integer generated by default as identity primary key,
  "PlatformId" integer not null references platforms (id),
  "UserId" integer not null,
  title text not null,
  "titleKey" text not null,
  body text,
  "imageUrl" text,
  "linkUrl" text not null,
  "callToAction" text,
  placement text not null check (placement in ('home', 'collection', 'content', 'feed')),
  "onlyCollections" boolean not null default false,
  roles text[] not null default '{}',
  "excludeRoles" text[] not null default '{}',
  "startDate" timestamptz(3),
  "endDate" timestamptz(3),
  status text not null default 'draft' check (status in ('draft', 'active', 'paused')),
  priority integer not null default 0 check (priority between 0 and 100),
  impressions integer not null default 0,
  clicks integer not null default 0,
  "createdAt" timestamptz(3) not null default now(),
  "updatedAt" timestamptz(3) not null default now(),
  unique ("PlatformId", id),
  foreign key ("PlatformId", "UserId") references users ("PlatformId", id)
);
create index "ads_running" on ads ("PlatformId", placement, priority desc, id) where status = 'active';

create table ad_collections (
  "PlatformId" integer not null,
  "AdId" integer not null,
  "CollectionId" integer not null,
  primary key ("AdId", "CollectionId"),
  foreign key ("PlatformId", "AdId") references ads ("PlatformId", id) on delete cascade,
  foreign key ("PlatformId", "CollectionId") references collections ("PlatformId", id) on delete cascade
);
create index "ad_collections_CollectionId" on ad_collections ("CollectionId");
create table ad_events (
  "PlatformId" integer not null,
  "AdId" integer not null,
  nonce text not null,
  kind text not null check (kind in ('impression', 'click')),
  "createdAt" timestamptz(3) not null,
  primary key (nonce, kind),
  foreign key ("PlatformId", "AdId") references ads ("PlatformId", id) on delete cascade
);
create index "ad_events_AdId" on ad_events ("AdId");
create index "ad_events_createdAt" on ad_events ("createdAt");

create table platform_stamps (
  "PlatformId" integer primary key references platforms (id) on delete cascade,
  stamp bigint not null
);

insert into platform_stamps select id, 0 from platforms;

-- The number of the transaction that changed something last: however many rows it changed, it writes one stamp.
create function stamp_platform() returns trigger language plpgsql as $$
declare
  changed integer;
begin
  if tg_table_name = 'platforms' then changed := new.id; -- they are never deleted
  elsif tg_op = 'DELETE' then changed := old."PlatformId";
  else changed := new."PlatformId";
  end if;
  insert into platform_stamps as s values (changed, pg_current_xact_id()::text::bigint)
    on conflict ("PlatformId") do update set stamp = excluded.stamp where s.stamp <> excluded.stamp;
  return null;
end $$;
`;

/**
 * The platform leads in every index of the search, so that a small platform does not pay for what a word matches
 * on a large one; as an expression, so that no plan takes another index for it and reads all rows of the platform
 * when it misjudges how rare a word is. Trigrams find three characters and more anywhere; the full-text index finds fewer, where words
 * begin.
 */
const SEARCH_UP = `
create extension if not exists btree_gin;

-- The first one and two characters of each word, marked with the field that they are in: nothing here asks the
-- database's locale what a letter is. A word begins after a space, or after marks that begin it.
create function word_starts(field text, key text) returns text[]
  language sql immutable parallel safe returns null on null input as $$
  select array(
    select field || left(start, length)
      from (select distinct left(word, 4) as word from unnest(string_to_array(key, ' ')) word) words,
           unnest(array[word, ltrim(word, '${MARKS}')]) start, generate_series(1, 2) length
     where start <> '')
$$;

alter table contents add "wordStarts" tsvector not null generated always as (array_to_tsvector(
  word_starts('title:', "titleKey") || word_starts('teaser:', "teaserKey") || word_starts('text:', "textKey"))) stored;
alter table users add "nameStarts" tsvector not null
  generated always as (array_to_tsvector(word_starts('name:', "nameKey"))) stored;

drop index "contents_titleKey", "contents_textKey", "users_nameKey", "contents_UserId";
create index "contents_titleKey" on contents using gin (("PlatformId" + 0), "titleKey" gin_trgm_ops)
  where "deletedAt" is null;
create index "contents_textKey" on contents using gin (("PlatformId" + 0), "textKey" gin_trgm_ops)
  where "deletedAt" is null;
create index "contents_wordStarts" on contents using gin (("PlatformId" + 0), "wordStarts") where "deletedAt" is null;
create index "users_nameKey" on users using gin ("PlatformId", "nameKey" gin_trgm_ops);
create index "users_nameStarts" on users using gin ("PlatformId", "nameStarts");
-- Spelled unlike the order of lists, so that no plan walks all items for those of one author.
create index "contents_author" on contents
  ("UserId", coalesce("publishedDate", "createdAt", "createdAt") desc, id desc) where "deletedAt" is null;
create index "contents_public" on contents (coalesce("publishedDate", "createdAt") desc, id desc)
  where "deletedAt" is null and visibility = 'public';
`;

const SEARCH_DOWN = `
drop index "contents_titleKey", "contents_textKey", "contents_wordStarts", "users_nameKey", "users_nameStarts",
  "contents_author", "contents_public";
create index "contents_titleKey" on contents using gin ("titleKey" gin_trgm_ops) where "deletedAt" is null;
create index "contents_textKey" on contents using gin ("textKey" gin_trgm_ops) where "deletedAt" is null;
create index "contents_UserId" on contents ("UserId");
create index "users_nameKey" on users using gin ("nameKey" gin_trgm_ops);
alter table contents drop "wordStarts";
alter table users drop "nameStarts";
drop function word_starts(text, text);
`;

/**
 * What anonymous readers are shown, and the columns that they see of it: counters of comments, reactions and
 * views are not among them.
 */
const STAMPED: Record<string, string[]> = {
  platforms: [],
  users: ['name', 'photoUrl', 'role', 'deletedAt'],
  groups: ['name', 'slug', 'visibility', 'position'],
  keywords: ['title', 'slug', 'description', 'contentCount'],
  contents: [
    'UserId',
    'title',
    'slug',
    'description',
    'type',
    'visibility',
    'requiredRole',
    'gateClosed',
    'featuredImage',
    'video',
    'contentURI',
    'chatEnabled',
    'featured',
    'options',
    'publishedDate',
    'expireDate',
    'moderationCategory',
    'awaitsApproval',
    'pinned',
    'commentsLocked',
    'isEdited',
    'deletedAt',
  ],
  content_groups: [],
  content_access_tags: [],
  content_keywords: [],
  collections: [],
  collection_groups: [],
  collection_contents: [],
  ads: [
    'title',
    'body',
    'imageUrl',
    'linkUrl',
    'callToAction',
    'placement',
    'onlyCollections',
    'roles',
    'excludeRoles',
    'startDate',
    'endDate',
    'status',
    'priority',
  ],
  ad_collections: [],
};

/** Deferred to the commit, so that writers hold the platform's stamp for no longer than that. */
const stampTrigger = (table: string, columns: string[]): string => {
  const seen = columns.map((column) => `"${column}"`).join(', ');
  const events = table === 'platforms' ? 'insert' : 'insert or delete';
  return `
    create constraint trigger "${table}_stamp" after ${events} or update ${seen && `of ${seen}`} on ${table}
      deferrable initially deferred for each row execute function stamp_platform()`;
};

const DOWN = `
drop function stamp_platform();
drop trigger "contents_rank" on contents;
drop function rank_content();
alter table contents reset (fillfactor);
drop table content_ranks, platform_stamps, written_texts, ad_events, ad_collections, ads, content_view_days,
  content_viewers;
alter table collections drop "nameKey", drop "searchKey";
drop index "contents_recent", "contents_listed", "contents_createdAt", "contents_title",
  "contents_posts", "contents_publishedDate", "contents_expireDate";
alter table comments drop "moderationRule", drop "deletedById";
drop index "comments_author";
alter table contents drop pinned, drop "commentsLocked", drop "isEdited", drop "editedAt", drop "lastActivityAt";
`;
