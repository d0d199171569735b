// Completes package-lock.json after `npm install` with the optional packages for other platforms (os, cpu) that a
// registry mirror did not serve: without their entries `npm ci` refuses the lockfile. Run it from the root.
import { readFileSync, writeFileSync } from 'node:fs';
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const P = lock.packages;
const OS = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32', 'wasi'];
const find = (from, name) => {
  for (let at = from; ; at = at.slice(0, at.lastIndexOf('/node_modules/'))) {
    if (P[`${at}/node_modules/${name}`]) return true;
    if (!at.includes('/node_modules/')) return Boolean(P[`node_modules/${name}`]);
  }
};
for (const [path, entry] of Object.entries({ ...P })) {
  for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
    if (find(path, name)) continue;
    const tokens = name.split('/').pop().split(/[-]/);
    const os = OS.filter((o) => tokens.includes(o));
    const cpu = [
      ['x64'],
      ['arm64'],
      ['ia32'],
      ['ppc64'],
      ['riscv64'],
      ['s390x'],
      ['loong64'],
      ['wasm32'],
      ['arm', 'arm'],
    ]
      .map(([t]) => t)
      .filter((t) => tokens.includes(t));
    const libc = tokens.some((t) => t.startsWith('musl'))
      ? ['musl']
      : tokens.some((t) => t.startsWith('gnu') && os[0] === 'linux')
        ? ['glibc']
        : undefined;
    if (!/^\d/.test(range)) {
      console.error('not exact:', path, name, range);
      continue;
    }
    P[`node_modules/${name}`] = {
      version: range,
      cpu,
      ...(entry.dev ? { dev: true } : {}),
      ...(libc ? { libc } : {}),
      optional: true,
      os,
    };
    console.error(`${name}@${range}`, os.join(), cpu.join(), libc?.join() ?? '');
  }
}
const { '': root, ...rest } = P;
lock.packages = {
  '': root,
  ...Object.fromEntries(Object.entries(rest).sort(([a], [b]) => a.localeCompare(b, 'en'))),
};
writeFileSync('package-lock.json', JSON.stringify(lock, null, 2) + '\n');
