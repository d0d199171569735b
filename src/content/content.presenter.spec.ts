import { type ContentRow, presentContent } from './content.presenter';

const at = new Date('2026-01-01T00:00:00Z');
const row: ContentRow = {
  id: 1,
  PlatformId: 2,
  UserId: 3,
  title: 'T',
  slug: 't',
  description: `<p>${'x'.repeat(199)}😀😀</p><script>no</script>`,
  type: 'article',
  visibility: 'members',
  featuredImage: 'https://example.org/f.png',
  video: 'https://example.org/v.mp4',
  contentURI: 'https://example.org/c.pdf',
  options: { a: 1 },
  chatEnabled: true,
  featured: false,
  publishedDate: at,
  expireDate: null,
  commentCount: 4,
  viewCount: 5,
  createdAt: at,
  updatedAt: at,
  authorId: 3,
  authorName: 'Ada',
  authorPhotoUrl: null,
  authorRole: 'creator',
  groups: [{ id: 6, name: 'G' }],
  keywords: [{ id: 7, title: 'K' }],
  locked: false,
};

it('shows the whole item to those who may open it, and nothing that is no field of it', () => {
  const body = presentContent({ ...row, titleKey: 'secret' } as ContentRow);
  expect(body).toMatchObject({
    description: row.description,
    video: row.video,
    contentURI: row.contentURI,
    options: { a: 1 },
    locked: false,
  });
  expect(body.User).toEqual({ id: 3, name: 'Ada', photoUrl: null, role: 'creator' });
  expect(JSON.stringify(body)).not.toContain('secret');
});

it('shows of a locked item its card, the teaser that the row has, and nothing to open', () => {
  expect(presentContent({ ...row, locked: true })).toEqual({
    ...presentContent(row),
    contentURI: null,
    video: null,
    options: null,
    locked: true,
  });
});
