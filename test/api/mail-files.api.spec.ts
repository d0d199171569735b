import { readFileSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually, recordSecret, testLogFile } from '#libs/testing';
import { PASSWORD, World } from '../factories/world';
import { TestApp } from '../support/test-app';

describe('mail without SMTP_URL', () => {
  let test: TestApp;
  let world: World;

  beforeAll(async () => {
    test = await TestApp.start({ WORKER: 'inline' });
    world = await World.create(test);
    await world.givePassword('pending');
  });
  afterAll(() => test.stop());

  it('becomes an .eml file under DATA_DIR, of which the log has only the name', async () => {
    const directory = join(test.settings.DATA_DIR, 'mail');
    const answer = await world.anonymous().post('/api/user/signin', {
      email: 'pending@people.test',
      password: PASSWORD,
      PlatformId: world.platformId(),
    });
    expect(answer).toMatchObject({ status: 401, body: { error: { code: 'EMAIL_NOT_VERIFIED' } } });
    const name = await eventually(async () =>
      (await readdir(directory).catch(() => [])).find((file) => file.endsWith('.eml')),
    );
    expect(name).toMatch(/^[0-9a-f]{32}api\.test\.eml$/);
    const file = join(directory, name);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    const text = await readFile(file, 'utf8');
    expect(text).toMatch(/^To: pending@people\.test\r?$/m);
    expect(text).toMatch(/^Subject: Your sign-in code\r?$/m);
    expect(text).toMatch(/^Content-Type: text\/plain/m);
    expect(text).toMatch(/^Content-Type: text\/html/m);
    const code = /Your code is (\d{6})\./.exec(text)?.[1] ?? '';
    expect(code).toMatch(/^\d{6}$/);
    recordSecret(code);
    const log = await eventually(() => {
      const lines = readFileSync(testLogFile(), 'utf8');
      return lines.includes(name) && lines;
    });
    expect(log).not.toContain('Your code is');
    expect((await readdir(directory)).filter((entry) => !entry.endsWith('.eml'))).toEqual([]);
  });
});
