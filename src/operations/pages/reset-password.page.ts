import { type HtmlAnswer, newNonce } from '#libs/http';

/** Takes the new password where a platform has no homepage of its own for that. */
export function resetPasswordPage(): HtmlAnswer {
  const nonce = newNonce();
  return { nonce, html: PAGE.replaceAll('{nonce}', nonce) };
}

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Reset your password</title>
<style nonce="{nonce}">
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 24rem; margin: 4rem auto; padding: 0 1rem }
label, input, button { display: block; width: 100%; box-sizing: border-box; font: inherit }
input, button { padding: .6rem; margin: .4rem 0 1rem }
</style>
</head>
<body>
<main>
<h1>Reset your password</h1>
<form>
<label for="password">New password, 8 to 128 characters</label>
<input id="password" type="password" autocomplete="new-password" minlength="8" maxlength="128" required>
<button>Save</button>
</form>
<p role="status" aria-live="polite"></p>
</main>
<script nonce="{nonce}">
const token = new URLSearchParams(location.search).get('token') ?? '';
history.replaceState(null, '', location.pathname);
const form = document.querySelector('form');
const status = document.querySelector('[role=status]');
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const password = document.querySelector('#password').value;
  const response = await fetch('/api/user/reset-password', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token, password }),
  });
  const body = await response.json();
  const issue = body.error?.details?.[0]?.issue;
  status.textContent = body.message ?? (issue ? 'The password ' + issue + '.' : body.error?.message ?? 'That did not work.');
  if (response.ok) form.remove();
});
</script>
</body>
</html>
`;
