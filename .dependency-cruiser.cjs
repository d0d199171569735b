/** Which room may know which: the rules of docs/architecture.md, checked by `npm run boundaries`,
 * which is tools/rooms.mjs: it looks for rings of rooms besides. */
/** A room: a folder of src, of src/kernel or of src/operations, with all that is below it. */
const ROOM = '^(src/(?:kernel/|operations/)?[^/]+)/';

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'libs-know-no-domain',
      comment: 'A lib serves any service; what knows a domain belongs to src.',
      severity: 'error',
      from: { path: '^libs/' },
      to: { path: '^src/' },
    },
    {
      name: 'kernel-imports-libs-alone',
      comment: 'What every domain stands on knows none of them.',
      severity: 'error',
      from: { path: '^src/kernel/', pathNot: 'spec\\.ts$' },
      to: { path: '^src/', pathNot: '^src/kernel/' },
    },
    {
      name: 'domains-know-no-operations',
      comment: 'What operators use stands on the domains, and the entries on both.',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: '^src/(kernel|operations)/|spec\\.ts$' },
      to: { path: '^src/(operations/|[^/]+$)' },
    },
    {
      name: 'typeorm-stays-in-the-database',
      comment: 'SQL lives in repositories, tables in entities and migrations.',
      severity: 'error',
      from: {
        pathNot:
          '(\\.repository\\.ts|\\.entity\\.ts|^libs/database/|^src/operations/migrations/|^libs/testing/|^test/|spec\\.ts)$|^libs/database/|^src/operations/migrations/|^libs/testing/|^test/',
      },
      to: { path: 'node_modules/typeorm' },
    },
    {
      name: 'repositories-are-private',
      comment: 'Another domain is reached through its service, never its repository.',
      severity: 'error',
      from: { path: ROOM },
      to: {
        path: '^src/.+\\.repository\\.ts$',
        pathNot: '^$1/',
      },
    },
    {
      name: 'entities-are-private',
      comment: 'Another domain may name what a service hands it; only its own makes and queries it.',
      severity: 'error',
      from: { path: ROOM, pathNot: 'spec\\.ts$' },
      to: {
        path: '^src/.+\\.entity\\.ts$',
        pathNot: '^$1/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'entries-use-services',
      comment: 'As repositories-are-private, for the files beside the domains.',
      severity: 'error',
      from: { path: '^src/[^/]+\\.ts$' },
      to: { path: '^src/.+\\.repository\\.ts$' },
    },
    {
      name: 'tests-stay-out-of-the-product',
      severity: 'error',
      from: { path: '^(src|libs)/', pathNot: '^libs/testing/|spec\\.ts$' },
      to: { path: '^libs/testing/|^test/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      // An import of `#libs/…` leads to its source, in package.json and tsconfig.json too.
      conditionNames: ['service-source', 'import', 'require', 'node', 'default'],
    },
  },
};
