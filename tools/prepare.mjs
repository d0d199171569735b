// Runs before start, test, cli and verify, so that a fresh clone needs no setup of its own. It writes to
// standard error only, because the CLI's standard output is JSON.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  rmdirSync,
  statSync,
  utimes,
  writeFileSync,
} from 'node:fs';
import { constants } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

const INSTALL_STAMP = 'node_modules/.prepared';
const BUILD_STAMP = 'dist/.prepared';
const LOCK = '.cache/prepare.lock';
const LOCK_BEAT_MS = 1_000;
const LOCK_STALE_MS = 15_000;
const SOURCES = ['src', 'libs', 'test', 'bench'];
const DEPENDENCIES = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];

process.chdir(join(import.meta.dirname, '..'));
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const quiet = process.argv.includes('--quiet');
let child;
let beat;

const production =
  process.env.NODE_ENV === 'production' && existsSync('dist') && !existsSync('node_modules/typescript');
if (!production && !(installIsFresh() && buildIsFresh())) {
  await lock();
  if (!installIsFresh()) await install();
  if (!buildIsFresh()) await build();
}

// ---------------------------------------------------------------------------------------------- install

function installIsFresh() {
  return read(INSTALL_STAMP) === installHash();
}

function installHash() {
  const wanted = [...DEPENDENCIES, 'overrides', 'allowScripts'].map((field) => manifest[field]);
  return hash(JSON.stringify(wanted), read('package-lock.json'), process.platform, process.arch);
}

async function install() {
  const locked = existsSync('package-lock.json');
  const stamp = installHash();
  if (!installedByHand()) {
    // NODE_ENV=production would leave out the compiler. Warnings about engines concern the system's Node,
    // which only installs: scripts run on the one in node_modules.
    const options = ['--no-audit', '--no-fund', '--include=dev', '--loglevel=error'];
    await npm('installing dependencies', [locked ? 'ci' : 'install', ...options]);
  }
  // Without a lockfile npm has just written one.
  writeFileSync(INSTALL_STAMP, locked ? stamp : installHash());
}

/** npm's own record of what it put into node_modules: what somebody installed by hand is as good. */
function installedByHand() {
  const installed = json('node_modules/.package-lock.json')?.packages;
  const { '': root, ...locked } = json('package-lock.json')?.packages ?? {};
  if (!installed || !root) return false;
  return (
    DEPENDENCIES.every((field) => isDeepStrictEqual(manifest[field] ?? {}, root[field] ?? {})) &&
    Object.keys(installed).every((path) => path in locked) &&
    Object.entries(locked).every(([path, { version, integrity, optional, devOptional }]) => {
      const found = installed[path];
      return found ? found.version === version && found.integrity === integrity : optional || devOptional;
    })
  );
}

// ------------------------------------------------------------------------------------------------ build

function buildIsFresh() {
  const built = json(BUILD_STAMP);
  if (built?.setup !== setupHash()) return false;
  const files = sourceFiles();
  const times = timesHash(files);
  if (built.times === times) return true;
  // A checkout gives files new times without changing them.
  if (built.contents !== contentsHash(files)) return false;
  stampBuild({ ...built, times });
  return true;
}

async function build() {
  const setup = setupHash();
  const files = sourceFiles();
  const stamp = { setup, times: timesHash(files), contents: contentsHash(files) };
  // The incremental compiler follows the sources, but not the plugins and versions it runs with.
  if (json(BUILD_STAMP)?.setup !== setup) rmSync('dist', { recursive: true, force: true });
  // Should this build fail, going back to the sources of the last good one must still build again.
  stampBuild({ setup });
  await npm('building', ['run', '--silent', 'build']);
  removeOrphans();
  stampBuild(stamp);
}

function stampBuild(stamp) {
  mkdirSync('dist', { recursive: true });
  writeFileSync(BUILD_STAMP, JSON.stringify(stamp));
}

function setupHash() {
  const { type, imports, scripts } = manifest;
  const files = readdirSync('.').filter((name) => /^tsconfig.*\.json$/.test(name));
  return hash(
    JSON.stringify([type, imports, scripts.build]),
    ...[...files.sort(), 'nest-cli.json', 'package-lock.json'].map(read),
  );
}

function sourceFiles() {
  return SOURCES.flatMap(filesUnder).map((path) => ({
    path,
    stat: statSync(path, { throwIfNoEntry: false }),
  }));
}

function timesHash(files) {
  return hash(...files.map(({ path, stat }) => `${path}:${stat?.mtimeMs}:${stat?.size}`));
}

function contentsHash(files) {
  return hash(...files.flatMap(({ path }) => [path, read(path)]));
}

/** The compiler never deletes, and jest would go on running the tests of a deleted file. */
function removeOrphans() {
  for (const output of SOURCES.flatMap((root) => filesUnder(join('dist', root)))) {
    const source = output.slice('dist/'.length).replace(/\.(?:d\.ts|js(?:\.map)?)$/, '');
    if (output.endsWith(source)) continue;
    if (!['.ts', '.tsx', '.js'].some((extension) => existsSync(source + extension))) rmSync(output);
  }
}

// ------------------------------------------------------------------------------------------------- lock

/** Two runs at once, say of `npm test` and `npm start`: the second waits, then finds its work done. */
async function lock() {
  mkdirSync('.cache', { recursive: true });
  for (let waiting = false; !acquire(); waiting = true) {
    if (!waiting) say('waiting for another run\n');
    await sleep(200);
  }
  // A sign of life rather than a process id: the holder may live in another container.
  beat = setInterval(() => utimes(LOCK, new Date(), new Date(), () => {}), LOCK_BEAT_MS);
  beat.unref();
  process.on('exit', release);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => (child ? child.kill(signal) : process.exit(128 + constants.signals[signal])));
  }
}

function acquire() {
  try {
    mkdirSync(LOCK);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  const stat = statSync(LOCK, { throwIfNoEntry: false });
  if (stat && Date.now() - stat.mtimeMs > LOCK_STALE_MS) release();
  return false;
}

function release() {
  clearInterval(beat);
  try {
    rmdirSync(LOCK);
  } catch {
    // Somebody else removed it first.
  }
}

// ------------------------------------------------------------------------------------------------ tools

async function npm(what, args) {
  const started = performance.now();
  const output = [];
  say(`${what} … `);
  child = spawn('npm', args, {
    stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 2, 2],
    shell: process.platform === 'win32',
    env: { ...process.env, PATH: pathWithoutModules() },
  });
  child.stdout?.on('data', (chunk) => output.push(chunk));
  child.stderr?.on('data', (chunk) => output.push(chunk));
  const status = await new Promise((resolve) => {
    child.on('error', (error) => resolve(output.push(`${error.message}\n`) && 127));
    child.on('close', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
  child = undefined;
  if (status !== 0) {
    for (const chunk of output) process.stderr.write(chunk);
    process.stderr.write(`\nprepare: ${what} failed: npm ${args.join(' ')} ended with ${status}\n`);
    process.exit(status);
  }
  if (!quiet) process.stderr.write(`done in ${((performance.now() - started) / 1000).toFixed(1)} s\n`);
}

/** `npm ci` empties node_modules, so neither it nor its children may run on the Node in there. */
function pathWithoutModules() {
  const entries = (process.env.PATH ?? '').split(delimiter);
  return entries.filter((entry) => !/node_modules[\\/]\.bin[\\/]?$/.test(entry)).join(delimiter);
}

function filesUnder(root) {
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function read(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

function json(path) {
  try {
    return JSON.parse(read(path));
  } catch {
    return undefined;
  }
}

function hash(...parts) {
  const sum = createHash('sha256');
  // Lengths keep ['ab', 'c'] apart from ['a', 'bc'].
  for (const part of parts) sum.update(`${part?.length}:${part}`);
  return sum.digest('hex');
}

function say(line) {
  if (!quiet) process.stderr.write(`prepare: ${line}`);
}
