import './operations/process/source-maps';
import { Command } from 'commander';
import { databaseError } from '#libs/database';
import { DomainError } from '#libs/errors';
import { pruneAudit } from './operations/cli/audit';
import { doctor } from './operations/cli/doctor';
import { migrate } from './operations/cli/migrate';
import { printOpenApi } from './operations/cli/openapi';
import { createPlatform, listPlatforms, setPlatform } from './operations/cli/platforms';
import { createUser, resetPassword } from './operations/cli/users';
import { explainFailure } from './operations/process/resources';

/** The operator's command line: one JSON value on standard output, messages on standard error. */
const program = new Command('cli')
  .description('Operate the community platform service.')
  .showHelpAfterError();

const print = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`);

const platform = program.command('platform').description('platforms, the tenants');
platform
  .command('create')
  .requiredOption('--name <name>')
  .requiredOption('--slug <slug>')
  .requiredOption('--admin-email <email>')
  .requiredOption('--admin-password <password>')
  .option('--homepage-url <url>')
  .option('--timezone <zone>', 'IANA name', 'UTC')
  .action(async (options) => print(await createPlatform(options)));
platform.command('list').action(async () => print(await listPlatforms()));
platform
  .command('set <id>')
  .requiredOption('--json <object>', 'any fields and settings of a platform')
  .action(async (id, options) => print(await setPlatform(id, options.json)));

const user = program.command('user').description('people');
user
  .command('create')
  .requiredOption('--platform <id>')
  .requiredOption('--email <email>')
  .requiredOption('--name <name>')
  .requiredOption('--role <role>')
  .option('--password <password>')
  .action(async (options) => print(await createUser(options)));
user
  .command('reset-password')
  .requiredOption('--platform <id>')
  .requiredOption('--email <email>')
  .requiredOption('--password <password>')
  .action(async (options) => print(await resetPassword(options)));

program
  .command('migrate <direction>')
  .description('up, down (the newest one) or status')
  .action(async (direction) => print(await migrate(direction)));
program
  .command('audit')
  .description('the audit log')
  .command('prune')
  .description('drop the months that are older than 400 days')
  .action(async () => print(await pruneAudit()));
program
  .command('openapi')
  .description('print the OpenAPI document')
  .action(async () => print(await printOpenApi()));
program
  .command('doctor')
  .description('check what the service needs, and say how to mend it')
  .action(async () => {
    const report = await doctor();
    print(report);
    if (!report.ok) process.exitCode = 1;
  });

program.parseAsync().catch((error: unknown) => {
  const refusal = error instanceof DomainError ? error : databaseError(error);
  if (refusal && refusal.status < 500) {
    const details = refusal.details?.map(({ field, issue }) => `\n  ${field}: ${issue}`) ?? [];
    console.error(`${refusal.message}${details.join('')}`);
    process.exitCode = 1;
  } else process.exitCode = explainFailure(error);
});
