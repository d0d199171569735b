import { globSync, readFileSync } from 'node:fs';

/** Those who store what they make of HTML, and pages that put a title into HTML. Articles are sanitised by `Markup`. */
const WRITERS = [
  'src/ads/ads.service.ts',
  'src/collections/collections.repository.ts',
  'src/content/content.repository.ts',
  'src/embeds/content.page.ts',
  'src/moderation/written.ts',
  'src/operations/migrations/1763830000000-texts-of-content.ts',
  'src/posts/member-posts.service.ts',
];

it('HTML is sanitised, and text made of it, where it is written, and never where it is read', () => {
  const users = globSync('src/**/*.ts').filter((file) =>
    /import \{[^}]*\b(sanitizeComment|plainText|escapeHtml)\b[^}]*\} from '#libs\/markup'/.test(
      readFileSync(file, 'utf8'),
    ),
  );
  expect(users.toSorted()).toEqual(WRITERS);
});
