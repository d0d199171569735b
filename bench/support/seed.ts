/** Everything in the seed is on platform 1 and about content 1; user 1 signs in. */
export const CONTENT_ID = 1;
export const MEMBER = { email: 'member1@bench.example', platformId: 1 };

const USERS = 500;
// One comment in so many is held for moderation: lists leave it out, and pages have to count past it.
const HELD_ONE_IN = 200;

/** One platform with a content of `listed` top-level comments, a third of them with replies, all with reactions. */
export const commentsSeed = (listed: number): string[] => {
  const all = listed + Math.floor(listed / HELD_ONE_IN);
  return [
    `insert into platforms (name, slug) values ('Bench', 'bench')`,
    `insert into users ("PlatformId", email, "emailKey", name, "nameKey", role, "photoUrl")
     select 1, 'member' || n || '@bench.example', 'member' || n || '@bench.example', 'Member ' || n, 'member ' || n,
            'free', 'https://media.bench.example/people/' || n || '.jpg'
       from generate_series(1, ${USERS}) n`,
    `insert into contents ("PlatformId", "UserId", title, slug, description, type, visibility, "titleKey", "textKey", "teaserKey")
     select 1, 1, 'Item ' || n, 'item-' || n, '<p>Text.</p>', 'article', 'public', 'item ' || n, 'text.', 'text.'
       from generate_series(1, 50) n`,
    `insert into comments ("PlatformId", "ContentId", "UserId", ordinal, message, "messagePlain",
                           "moderationCategory", "createdAt")
     select 1, ${CONTENT_ID}, 1 + n % ${USERS}, n, '<p>' || said || '</p>', said,
            case when n % ${HELD_ONE_IN + 1} = 0 then 'Spam' end, now() - (${all} - n) * interval '1 minute'
       from generate_series(1, ${all}) n,
            lateral (select 'Comment ' || n || ' with a few words, as people write them.' as said) text`,
    `insert into comments ("PlatformId", "ContentId", "UserId", "parentCommentId", ordinal, message, "messagePlain",
                           "createdAt")
     select 1, ${CONTENT_ID}, 1 + (c.id + r) % ${USERS}, c.id, r, '<p>Reply ' || r || '</p>', 'Reply ' || r,
            c."createdAt" + r * interval '1 second'
       from comments c, generate_series(1, 1 + c.id % 3) r where c."parentCommentId" is null and c.id % 3 = 0`,
    `insert into reactions ("PlatformId", "UserId", "CommentId", emoji)
     select 1, 1 + (c.id * 7 + r) % ${USERS}, c.id, (array['heart', '👍', '🎉', 'bulb'])[1 + r % 4]
       from comments c, generate_series(1, 1 + c.id % 6) r where c."parentCommentId" is null`,
    `update comments c set "replyCount" = n, "listedCount" = n, "lastOrdinal" = n
       from (select "parentCommentId" as id, count(*) as n from comments where "parentCommentId" is not null
              group by 1) replies
      where c.id = replies.id`,
    `update comments c set "reactionCounts" = counts
       from (select id, jsonb_agg(jsonb_build_object('emoji', emoji, 'count', n) order by n desc, emoji) as counts
               from (select "CommentId" as id, emoji, count(*) as n from reactions group by 1, 2) one group by 1) own
      where c.id = own.id`,
    `update contents set "lastOrdinal" = ${all},
            "topLevelCount" = (select count(*) from comments where "parentCommentId" is null and not hidden),
            "commentCount" = (select count(*) from comments where not hidden)
      where id = ${CONTENT_ID}`,
  ];
};
