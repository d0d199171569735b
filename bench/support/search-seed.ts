/** What the search is measured with; everything is made of numbers, so that each run searches the same texts. */
export const BIG = 1;
/** A platform with one item in a hundred, unless it is said how many it has. */
export const SMALL = 2;
export const MEMBER_OF_SMALL = { email: 'member100@bench.example', platformId: SMALL };
export const MEMBER = { email: 'member1@bench.example', platformId: BIG };

const ITEMS_PER_GROUP = 20;
const SENTENCES = 2048;
/** Rows that match, whatever the size of the table. */
export const RARE_MATCHES = 50;
export const COMMON_MATCHES = 10_000;

/** In whose names no item has a word. */
export const FEW_ITEMS = 'Quillon';
export const MANY_ITEMS = 'Wrexham';
const [FEW, MANY] = [2, 3];

/**
 * Two platforms with `users` members (at least 100) and with `items` contents, mostly public, some for members with and without groups, some private.
 * "zephyrine" is in the texts of 50, "marigold" of 10,000 and in the titles of 50; common letters are everywhere.
 */
export const searchSeed = (items: number, users = 5000, ofSmall = items / 100): string[] => [
  `insert into platforms (name, slug) values ('Bench', 'bench'), ('Small', 'small')`,
  `insert into users ("PlatformId", email, "emailKey", name, "nameKey", role)
   select case when n % 100 = 0 then ${SMALL} else ${BIG} end, mail, mail, name, lower(name),
          case when n <= 10 and n > 1 then 'creator' else 'free' end
     from generate_series(1, ${users}) n,
          lateral (select 'member' || n || '@bench.example' as mail,
                          case n when ${FEW} then '${FEW_ITEMS} Few' when ${MANY} then '${MANY_ITEMS} Many'
                                 else 'Person ' || substr(md5(n::text), 1, 6) end as name) own`,
  `insert into groups ("PlatformId", name, slug, "nameKey", "UserId", visibility, position)
   select ${BIG}, 'Group ' || n, 'group-' || n, 'group ' || n, 4, 'public', n from generate_series(1, 10) n`,
  // Words of two or three syllables; a few are everywhere and most are rare, as in any language.
  `create temp table words as
   select n, s[1 + n % 24] || s[1 + n / 24 % 24] || case when n % 3 = 0 then s[1 + n / 5 % 24] else '' end as word
     from generate_series(0, 1999) n, (select array['ba','ke','li','mo','nu','ra','te','si','do','fu','ga','he',
       'jo','ka','le','mi','no','pu','re','sa','ti','ve','wo','ya']) syllables(s)`,
  `create temp table sentences as
   select s as n, (select string_agg(word, ' ' order by k) from generate_series(1, 15) k
                     join words on n = floor(power((hashint8(s * 100 + k) & 65535) / 65536.0, 3) * 2000)) as said
     from generate_series(0, ${SENTENCES - 1}) s`,
  `alter table sentences add primary key (n)`,
  `analyze sentences`,
  // Filling is many times faster when these are made afterwards and ranks in one go; nobody reads the stamps.
  `alter table contents disable trigger user`,
  `create temp table later as select indexname, indexdef from pg_indexes where tablename = 'contents' and indexdef like '%USING gin%'`,
  each('later', `'drop index "' || indexname || '"'`),
  `insert into contents ("PlatformId", "UserId", title, slug, description, type, visibility, "requiredRole",
                         "publishedDate", "createdAt", "titleKey", "textKey", "teaserKey", "plainText", teaser)
   select case when i % ${items / ofSmall} = 0 then ${SMALL} else ${BIG} end,
          case when i % ${items / ofSmall} = 0 then 100 when i <= 1000 and i % 100 = 7 then ${FEW} when i % 4 = 1 then ${MANY} else 4 + i % 7 end,
          initcap(title), 'item-' || i, '<p>' || said || '</p>', case when i % 10 = 4 then 'post' else 'article' end,
          case when i % 10 < 7 then 'public' when i % 10 < 9 then 'members' else 'private' end,
          case when i % 20 = 7 then 'premium' end, at, at, title, said, left(said, 200), said, left(said, 200)
     from generate_series(1, ${items}) i,
          lateral (select now() - (${items} - i) * interval '1 minute' as at) dated,
          lateral (select left(one.said, 40) || case when i % (${items} / ${RARE_MATCHES}) = 5 then ' marigold' else '' end as title
                     from sentences one where one.n = hashint8(i) & ${SENTENCES - 1}) titled,
          lateral (select string_agg(said, '. ')
                          || case when i % (${items} / ${RARE_MATCHES}) = 3 then ' zephyrine' else '' end
                          || case when i % (${items} / ${COMMON_MATCHES}) = 1 then ' marigold' else '' end as said
                     from sentences where sentences.n in (hashint8(i + 1) & ${SENTENCES - 1}, hashint8(i + 2) & ${SENTENCES - 1},
                       hashint8(i + 3) & ${SENTENCES - 1}, hashint8(i + 4) & ${SENTENCES - 1}, hashint8(i + 5) & ${SENTENCES - 1}, hashint8(i + 6) & ${SENTENCES - 1},
                       hashint8(i + 7) & ${SENTENCES - 1}, hashint8(i + 8) & ${SENTENCES - 1})) texts`,
  each('later', 'indexdef'),
  `alter table contents enable trigger user`,
  `insert into content_ranks
   select id, "PlatformId", type = 'post', "viewCount", "commentCount", "lastActivityAt" from contents`,
  `insert into content_groups ("PlatformId", "ContentId", "GroupId")
   select "PlatformId", id, 1 + id % 10 from contents where "PlatformId" = ${BIG} and id % ${ITEMS_PER_GROUP} = 8`,
  `insert into group_members ("PlatformId", "GroupId", "UserId", role, status, source)
   select ${BIG}, id, 1, 'member', 'active', 'manual' from groups where id <= 3`,
];

/** Runs the statement that `expression` makes of each row of a table. */
const each = (table: string, expression: string): string => `
  do $$ declare one record; begin
    for one in select ${expression} as statement from ${table} loop execute one.statement; end loop;
  end $$`;
