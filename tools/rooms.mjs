// npm run boundaries: the rules of .dependency-cruiser.cjs, and no ring of rooms. A room is a lib, a folder of src, of
// src/kernel or of src/operations, with all that is below it; a file beside the rooms is an entry. With --draw the
// drawing of the rooms in docs/architecture.md is made anew, with --drawn the document is printed as it should be.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { cruise, format } from 'dependency-cruiser';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import * as prettier from 'prettier';

const DOCUMENT = 'docs/architecture.md';
const [BEGIN, END] = ['<!-- rooms: npm run generate -->\n', '<!-- /rooms -->'];
const IS_TEST = /^test\/|spec\.ts$|^libs\/testing\//;
const LAYERS = { kernel: 'src/kernel', operations: 'src/operations' };

process.chdir(join(import.meta.dirname, '..'));
const wish = process.argv[2];
const result = await cruised();
const rooms = arrows(result.modules);
if (wish === '--drawn') process.stdout.write(await drawn());
else if (wish === '--draw') writeFileSync(DOCUMENT, await drawn());
else process.exitCode = await judge();

async function cruised() {
  const options = await extractOptions('./.dependency-cruiser.cjs');
  const tsConfig = extractTSConfig(options.tsConfig.fileName);
  return (await cruise(['src', 'libs', 'test'], options, undefined, { tsConfig })).output;
}

async function judge() {
  const { output, exitCode } = await format(result, { outputType: 'err-long' });
  process.stdout.write(output);
  const ring = ringIn(rooms);
  if (ring) console.error(`  error no-ring-of-rooms: ${ring.join(' → ')}\n`);
  return exitCode > 0 || ring ? 1 : 0;
}

/** `src/content/lists/…` is in `content`, `src/kernel/people/…` in `kernel/people`, `src/main.ts` in itself. */
function roomOf(path) {
  const [root, ...folders] = path.split('/');
  if (root === 'libs') return `libs/${folders[0]}`;
  if (root !== 'src') return null;
  const depth = folders[0] in LAYERS ? 2 : 1;
  return folders.slice(0, Math.min(depth, folders.length)).join('/');
}

/** For each room, those that it imports. Tests stand outside. */
function arrows(modules) {
  const found = new Map();
  for (const { source, dependencies } of modules) {
    const from = IS_TEST.test(source) ? null : roomOf(source);
    if (from === null) continue;
    if (!found.has(from)) found.set(from, new Set());
    for (const { resolved } of dependencies) {
      const to = IS_TEST.test(resolved) ? null : roomOf(resolved);
      if (to !== null && to !== from) found.get(from).add(to);
    }
  }
  const names = [...found.keys()].toSorted(byName);
  return new Map(names.map((room) => [room, [...found.get(room)].toSorted(byName)]));
}

function byName(one, other) {
  return one < other ? -1 : 1;
}

/** The rooms of one ring, the first of them again at the end. */
function ringIn(graph) {
  const done = new Set();
  const visit = (room, path) => {
    if (path.includes(room)) return [...path.slice(path.indexOf(room)), room];
    if (done.has(room)) return null;
    for (const next of graph.get(room) ?? []) {
      const ring = visit(next, [...path, room]);
      if (ring) return ring;
    }
    done.add(room);
    return null;
  };
  for (const room of graph.keys()) {
    const ring = visit(room, []);
    if (ring) return ring;
  }
  return null;
}

// ---------------------------------------------------------------------------------------------- the drawing

async function drawn() {
  const [before, rest = ''] = readFileSync(DOCUMENT, 'utf8').split(BEGIN);
  const [, after] = rest.split(END);
  const text = `${before}${BEGIN}${drawing()}${END}${after}`;
  return prettier.format(text, { ...(await prettier.resolveConfig(DOCUMENT)), filepath: DOCUMENT });
}

/** The domains one by one, with the arrows that no others imply; below them the kernel, above them operations. */
function drawing() {
  const inSrc = [...rooms.keys()].filter((room) => !room.startsWith('libs/') && !room.endsWith('.ts'));
  const domains = inSrc.filter((room) => !room.includes('/'));
  const among = new Map(
    domains.map((room) => [room, (rooms.get(room) ?? []).filter((used) => domains.includes(used))]),
  );
  const lines = ['graph TD'];
  for (const layer of Object.keys(LAYERS)) {
    const names = inSrc
      .filter((room) => room.startsWith(`${layer}/`))
      .map((room) => room.slice(layer.length + 1));
    lines.push(`  ${layer}["<b>${layer}</b><br/>${inRows(names)}"]`);
  }
  lines.push('  subgraph domains');
  for (const room of domains) lines.push(`    ${room}`);
  for (const [room, used] of among) {
    for (const next of used.filter((one) => !impliedBy(used, one, among)))
      lines.push(`    ${room} --> ${next}`);
  }
  lines.push('  end', '  operations --> domains', '  domains --> kernel', '  kernel --> libs');
  const uses = (room) => (rooms.get(room) ?? []).filter((used) => !used.startsWith('libs/'));
  return [
    '\n```mermaid',
    ...lines,
    '```\n',
    'An arrow that others imply is left out. All there are, but those to libs:\n',
    ...inSrc.map((room) => `- \`${room}\` → ${uses(room).join(', ') || 'nothing'}`),
    '\n',
  ].join('\n');
}

function inRows(names) {
  return names.map((name, at) => (at > 0 && at % 4 === 0 ? `<br/>${name}` : name)).join(' · ');
}

function impliedBy(used, one, graph) {
  const reaches = (room) => (graph.get(room) ?? []).some((next) => next === one || reaches(next));
  return used.some((other) => other !== one && reaches(other));
}
