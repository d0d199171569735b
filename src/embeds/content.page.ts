import { type HtmlAnswer, newNonce } from '#libs/http';
import { escapeHtml } from '#libs/markup';
import type { ContentDto } from '../content/dto/content.dto';

/** An item's title and text. The text was sanitised when it was saved. */
export function contentPage({ title, description, locked }: ContentDto, embedOrigins: string[]): HtmlAnswer {
  const nonce = newNonce();
  const text = locked ? `<p>${description}</p>` : description;
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style nonce="${nonce}">
body { font: 1rem/1.6 system-ui, sans-serif; max-width: 42rem; margin: 0 auto; padding: 1rem }
img { max-width: 100%; height: auto }
</style>
</head>
<body>
<main>
<h1 dir="auto">${escapeHtml(title)}</h1>
<article dir="auto">${text}</article>
</main>
</body>
</html>
`;
  return { html, nonce, frameAncestors: embedOrigins };
}
