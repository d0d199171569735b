import { globSync, readFileSync } from 'node:fs';
import * as ts from 'typescript';

/** Who owns the tables that no entity stands for; of the others it is the room of the entity. */
const OWNERS: Record<string, string> = {
  ad_collections: 'ads',
  ad_events: 'ads',
  audit_log: 'kernel/audit',
  collection_contents: 'collections',
  collection_groups: 'collections',
  content_access_tags: 'content',
  content_groups: 'content',
  content_keywords: 'content',
  content_ranks: 'content',
  content_view_days: 'content',
  content_viewers: 'content',
  event_counter: 'libs/events',
  events: 'libs/events',
  group_access_tags: 'groups',
  kept_answers: 'kernel/idempotency',
  numbered_events: 'libs/events',
  one_time_codes: 'auth',
  outbox: 'libs/queue',
  password_resets: 'auth',
  platform_stamps: 'kernel/kept-reads',
  rate_limits: 'libs/rates',
  sign_in_failures: 'auth',
  user_access_tags: 'access-tags',
  written_texts: 'moderation',
};

/** Who writes what is another's, and why. */
const EXCEPTIONS: Record<string, string> = {
  'chat → contents':
    'counts comments in the statement that numbers them, so that no comment is counted twice',
  'posts → contents': 'posts are content of one type, and what moderators decide of them is in its table',
  'reactions → comments': 'counts reactions under the lock that makes the counts exact',
  'reactions → contents': 'counts reactions under the lock that makes the counts exact',
  'users → one_time_codes':
    'a new address voids what was mailed in its own transaction, and auth knows users',
  'users → password_resets':
    'a new address voids what was mailed in its own transaction, and auth knows users',
};

/** Statements whose table the code puts in, and which ones these are. */
const PUT_IN: Record<string, string[]> = {
  'src/reactions/reactions.repository.ts': ['contents', 'comments'],
  // The table of the repository's entity, or of a LinkTable: both are read where they are declared.
  'libs/database/platform.repository.ts': [],
};

const ENTITY_WRITES =
  /^(insert|update|save|upsert|delete|remove|softDelete|softRemove|increment|decrement|clear)$/;
const WRITE =
  /(?<!\b(?:for|do|key|or|after|before) )\b(?:insert into|update|delete from)\s+(?:only\s+)?"?(\w*)/gi;

const files = globSync('{src,libs}/**/*.ts').filter(
  (file) => !/spec\.ts$|^src\/operations\/migrations\/|^libs\/testing\//.test(file),
);

/** As in tools/rooms.mjs. */
function roomOf(file: string): string {
  const [root, first = '', second = ''] = file.split('/');
  if (root === 'libs') return `libs/${first}`;
  return first === 'kernel' || first === 'operations' ? `${first}/${second}` : first;
}

const entities = new Map<string, { table: string; room: string }>();
for (const file of files.filter((one) => one.endsWith('.entity.ts'))) {
  const [, table = '', name = ''] =
    /@Entity\('(\w+)'\)\nexport class (\w+)/.exec(readFileSync(file, 'utf8')) ?? [];
  entities.set(name, { table, room: roomOf(file) });
}
const owners = new Map([
  ...Object.entries(OWNERS),
  ...[...entities.values()].map(({ table, room }): [string, string] => [table, room]),
]);

/** Every table that is written in the file, by SQL, by an entity or by a LinkTable. */
function writtenIn(file: string): string[] {
  const tables: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTemplateLiteral(node) || ts.isStringLiteral(node)) tables.push(...writtenBySql(file, node));
    const entity = entityWritten(node);
    if (entity !== undefined) tables.push(entities.get(entity)?.table ?? `entity ${entity}`);
    const link = linkTable(node);
    if (link !== undefined) tables.push(link);
    node.forEachChild(visit);
  };
  visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true));
  return tables;
}

function writtenBySql(file: string, node: ts.TemplateLiteral | ts.StringLiteral): string[] {
  // What is put in reads as no name, so that a table that is put in is found as one without.
  const text = ts.isTemplateExpression(node)
    ? [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('?')
    : node.text;
  const isSql = ts.isTaggedTemplateExpression(node.parent) && node.parent.tag.getText() === 'sql';
  return [...text.matchAll(WRITE)].flatMap(([statement, table = '']) => {
    if (table !== '') return owners.has(table) ? [table] : isSql ? [`unknown table ${table}`] : [];
    return isSql ? (PUT_IN[file] ?? [`a table that is put in: ${statement}…`]) : [];
  });
}

/** `extends PlatformRepository<Comment>` and `manager.insert(Comment, …)` name what they write. */
function entityWritten(node: ts.Node): string | undefined {
  if (ts.isExpressionWithTypeArguments(node) && node.expression.getText() === 'PlatformRepository') {
    return node.typeArguments?.[0]?.getText();
  }
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
  const { expression, name } = node.expression;
  if (!/\bmanager$/.test(expression.getText()) || !ENTITY_WRITES.test(name.text)) return undefined;
  const named = node.arguments[0]?.getText() ?? '';
  return named === 'this.entity' ? undefined : named;
}

/** `{ table: 'content_groups', own: 'ContentId', linked: 'GroupId' }` is what `replaceLinked` writes. */
function linkTable(node: ts.Node): string | undefined {
  if (!ts.isObjectLiteralExpression(node)) return undefined;
  const values = new Map(
    node.properties
      .filter(ts.isPropertyAssignment)
      .map(({ name, initializer }) => [name.getText(), initializer]),
  );
  const table = values.get('table');
  return table && ts.isStringLiteral(table) && values.has('own') && values.has('linked')
    ? table.text
    : undefined;
}

const writes = files.flatMap((file) => writtenIn(file).map((table) => ({ file, room: roomOf(file), table })));
const foreign = writes.filter(({ room, table }) => owners.get(table) !== room);

describe('every table has one owner', () => {
  it('which is told for each table of the migrations, once', () => {
    const migrations = globSync('src/operations/migrations/*.ts').map((file) => readFileSync(file, 'utf8'));
    const tables = migrations.flatMap((text) =>
      [...text.matchAll(/create table (\w+)(?! partition of)\b/g)].flatMap(([, table = '']) => table),
    );
    const alive = tables.filter((table) => !table.endsWith('_default'));
    expect([...owners.keys()].toSorted()).toEqual([...new Set(alive)].toSorted());
    expect([...entities.values()].filter(({ table }) => table in OWNERS)).toEqual([]);
  });

  it('who alone writes it', () => {
    const unknown = foreign.filter(({ room, table }) => !(`${room} → ${table}` in EXCEPTIONS));
    expect(unknown.map(({ file, table }) => `${file} writes ${table}`)).toEqual([]);
  });

  it('but for exceptions that are still made', () => {
    const made = new Set(foreign.map(({ room, table }) => `${room} → ${table}`));
    expect(Object.keys(EXCEPTIONS).filter((exception) => !made.has(exception))).toEqual([]);
  });

  it('and this test sees the writes', () => {
    const seen = new Set(writes.map(({ room, table }) => `${room} → ${table}`));
    // By SQL, by an entity's repository, by the manager, by a link table, and of a lib.
    for (const one of [
      'auth → one_time_codes',
      'chat → comments',
      'platforms → platforms',
      'groups → group_access_tags',
    ]) {
      expect(seen).toContain(one);
    }
    expect(seen).toContain('libs/queue → outbox');
    expect(
      globSync('{src,libs}/**/*.ts').filter((file) =>
        /\.(getRepository|createQueryBuilder)\(/.test(readFileSync(file, 'utf8')),
      ),
    ).toEqual([]);
  });
});
