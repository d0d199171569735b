/** Which room may know which: the rules of docs/architecture.md, checked by `npm run boundaries`. */
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
        pathNot: '^$1/|^src/sessions/sessions\\.repository\\.ts$',
      },
    },
    {
      name: 'entities-are-private',
      comment: 'Another domain may name what a service hands it; only its own makes and queries it.',
      severity: 'error',
      from: { path: ROOM, pathNot: 'spec\\.ts$|^src/operations/process/entities\\.ts$' },
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
      // An import of `#libs/…` resolves to the compiled lib.
      to: { path: '^(dist/)?libs/testing/|^test/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules|^dist/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default'],
    },
  },
};
