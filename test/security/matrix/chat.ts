import {
  authorOf,
  execute,
  get,
  KEPT_CONTENT,
  kept,
  type Matrix,
  MISSING,
  OF_THE_PLATFORM,
  OWN_ONLY,
  platformOf,
  post,
  type Records,
  remove,
  VISITORS,
  WHOSE,
  world,
  WRITERS,
} from './kit';

const EMOJI = '%F0%9F%91%8D';

const KEPT_COMMENT = kept({
  whose: WHOSE,
  find: async (caller, whose) => {
    if (whose === 'missing') return { id: MISSING };
    const content = await world.content({ visibility: 'members' }, platformOf(whose));
    const { id } = await world.comment(content.id, {}, 'free', platformOf(whose));
    await execute(`update comments set "UserId" = $2 where id = $1`, id, authorOf(caller, whose));
    return { id };
  },
});

const reactions = (kind: 'content' | 'chat', record: Records): Matrix => {
  const path = (id: number): string => `/api/${kind}/${id}/reactions`;
  const readers = {
    ...VISITORS,
    members: OF_THE_PLATFORM,
  };
  const writers = { ...WRITERS, members: OF_THE_PLATFORM };
  const thumb = (): object => ({ emoji: '👍' });
  const name = kind === 'content' ? 'contentReactions' : 'commentReactions';
  return {
    [`${name}_read`]: [{ what: 'read', record, call: get(path), expected: readers }],
    [`${name}_add`]: [{ what: 'react', record, call: post(path, thumb), expected: writers }],
    [`${name}_toggle`]: [
      { what: 'toggle', record, call: post((id) => `${path(id)}/toggle`, thumb), expected: writers },
    ],
    [`${name}_remove`]: [
      { what: 'take back', record, call: remove((id) => `${path(id)}/${EMOJI}`), expected: writers },
    ],
  };
};

/** Comments, replies and reactions. */
export const chat: Matrix = {
  chat_list: [
    {
      what: 'list',
      record: KEPT_CONTENT,
      call: get((id) => `/api/chat?contentId=${id}`),
      expected: { ...VISITORS, members: OF_THE_PLATFORM },
    },
  ],
  chat_replies: [
    {
      what: 'list',
      record: KEPT_COMMENT,
      call: get((id) => `/api/replies?commentId=${id}`),
      expected: { ...VISITORS, members: OF_THE_PLATFORM },
    },
  ],
  chat_save: [
    {
      what: 'comment on content',
      record: KEPT_CONTENT,
      call: post(
        () => '/api/chat',
        ({ id }) => ({ contentId: id, message: 'Said' }),
      ),
      expected: { ...WRITERS, members: OF_THE_PLATFORM },
    },
    {
      what: 'edit',
      record: KEPT_COMMENT,
      call: post(
        () => '/api/chat',
        ({ id }) => ({ id, message: 'Edited' }),
      ),
      expected: { ...WRITERS, members: OWN_ONLY },
    },
  ],
  ...reactions('content', KEPT_CONTENT),
  ...reactions('chat', KEPT_COMMENT),
};
