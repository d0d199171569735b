// node tools/scan-logs.mjs <directory>
//
// Fails when a secret of the test runs (*.secrets, one a line) shows in their application logs (*.log), and
// also when there is nothing to compare: a check that cannot fail proves nothing.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const MIN_LENGTH = 6;

const [directory] = process.argv.slice(2);
if (!directory || !existsSync(directory)) fail('usage: node tools/scan-logs.mjs <directory>');

const logs = linesOf('.log');
const secrets = new Set(
  linesOf('.secrets')
    .map(({ text }) => text)
    .filter((text) => text.length >= MIN_LENGTH),
);
if (logs.length === 0) fail(`no log lines under ${directory}`);
if (secrets.size === 0) fail(`no secrets of ${MIN_LENGTH} characters or more under ${directory}`);

// Looked up by their first characters, each log is read once however many secrets there are.
const byStart = new Map();
for (const text of [...secrets].flatMap(spellings)) {
  const start = text.slice(0, MIN_LENGTH);
  byStart.set(start, [...(byStart.get(start) ?? []), text]);
}

const leaks = logs.filter(({ text }) => {
  for (let at = 0; at + MIN_LENGTH <= text.length; at++) {
    const candidates = byStart.get(text.slice(at, at + MIN_LENGTH));
    if (candidates?.some((candidate) => text.startsWith(candidate, at) && standsAlone(text, candidate, at)))
      return true;
  }
  return false;
});

// The place, not the line: this report ends up in a log too.
for (const { file, number } of leaks) process.stderr.write(`${file}:${number} shows a secret\n`);
if (leaks.length > 0) fail(`${leaks.length} of ${logs.length} log lines show a secret`);
process.stdout.write(`${logs.length} log lines show none of ${secrets.size} secrets\n`);

/** A code of six digits is found by chance within ids and numbers: it counts only where it stands by itself. */
function standsAlone(text, secret, at) {
  if (!/^\d+$/.test(secret)) return true;
  return !/[\w.-]$/.test(text.slice(0, at)) && !/^[\w-]/.test(text.slice(at + secret.length));
}

/** As it is, within a JSON string, and within a URL. */
function spellings(secret) {
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret.toWellFormed())];
}

function linesOf(extension) {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(extension))
    .flatMap((name) => {
      const file = join(directory, name);
      const lines = readFileSync(file, 'utf8').split(/\r?\n/);
      return lines
        .map((text, index) => ({ file, number: index + 1, text }))
        .filter(({ text }) => text !== '');
    });
}

function fail(reason) {
  process.stderr.write(`scan-logs: ${reason}\n`);
  process.exit(1);
}
