import type { Settings } from '#libs/config';
import type { Demo } from './seed-demo';

/**
 * Tells a newcomer what to try. It goes to the terminal and not through the logger, because the passwords of a
 * new demo are shown this once.
 */
export function printWelcome(settings: Settings, url: string, demo: Demo | null): void {
  const lines = [
    '',
    `  The service is running at ${url}`,
    `  API docs:  ${url}/api/docs`,
    ...(demo
      ? signIns(demo)
      : [
          '',
          '  Demo passwords were shown at the first start.',
          `  For new ones remove ${settings.DATA_DIR}.`,
        ]),
    '',
    '  Try:',
    `    curl '${url}/api/collection/1?contentLimit=2'`,
    `    curl '${url}/api/content/search?q=tide&PlatformId=1'`,
    `    curl '${url}/api/contents?PlatformId=1&filters=type:video'`,
    `    curl '${url}/api/posts?PlatformId=1'`,
    `    curl '${url}/api/ads?PlatformId=1'`,
    `    curl '${url}/api/chat?contentId=2'`,
    '',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

const signIns = ({ signIns: people }: Demo): string[] => [
  '',
  '  Demo sign-ins on platform 1 (shown only now):',
  ...people.map(({ role, email, password }) => `    ${role.padEnd(8)} ${email.padEnd(26)} ${password}`),
];
