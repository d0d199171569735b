import { type CommentRow, presentComment } from './comment.presenter';

const at = new Date('2026-01-01T00:00:00Z');
const row: CommentRow = {
  id: 1,
  message: '<b>Hi</b>',
  messagePlain: 'Hi',
  deletedAt: null,
  moderationCategory: null,
  isEdited: false,
  editedAt: null,
  createdAt: at,
  parentCommentId: null,
  replyCount: 2,
  atSeconds: null,
  reactionCounts: [{ emoji: 'heart', count: 1 }],
  authorId: 3,
  authorName: 'Ada',
  authorPhotoUrl: null,
  authorBanned: false,
  myReactions: ['heart'],
};

it('leaves myReactions out for strangers', () => {
  expect(presentComment(row).myReactions).toEqual(['heart']);
  expect(presentComment({ ...row, myReactions: null })).not.toHaveProperty('myReactions');
});

it('blanks a deleted comment, and keeps its author and replies', () => {
  const body = presentComment({ ...row, deletedAt: at });
  expect(body).toMatchObject({
    deleted: true,
    message: '',
    messagePlain: '',
    reactions: [],
    myReactions: [],
    replyCount: 2,
  });
  expect(body.User).toEqual({ id: 3, name: 'Ada', photoUrl: null, banned: false });
  expect(presentComment({ ...row, deletedAt: at, myReactions: null })).not.toHaveProperty('myReactions');
});
