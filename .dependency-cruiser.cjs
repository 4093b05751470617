const { builtinModules } = require('node:module');
const { order } = require('./scripts/lib/folders.cjs');

const folders = order.flat();

const filesOf = (folder) => `^src/${folder}/`;

const layering = order.flatMap((line, i) =>
  line.flatMap((folder) => {
    const above = [...line.filter((other) => other !== folder), ...order.slice(i + 1).flat()];
    if (above.length === 0) return [];
    return {
      name: `${folder}-imports-nothing-above`,
      comment: 'Imports point one way: see docs/architecture.md.',
      severity: 'error',
      from: { path: filesOf(folder) },
      to: { path: above.map(filesOf) },
    };
  }),
);

/** Known exceptions: files that import what stands directly in src, or ormconfig.ts. */
const IMPORTS_THE_TOP = [
  // Opens a data source with all migrations, which stand above the database.
  'database/connection/owner-connection',
  // Put the application together.
  'admin/admin.module',
  'server/application',
];

/** The folders that handle requests and responses. */
const KNOWS_HTTP = ['http', 'auth', 'writes', 'observability', 'server'];

/** The files elsewhere that do. */
const HTTP_FILES = [
  '\\.controller\\.ts$',
  // Reads the body of an import from the request, while it arrives.
  '^src/bulk/import/import-request\\.ts$',
  // Sends the answer to an integration while it is made, and stops if the client disconnects.
  '^src/integrations/streamed-json-response\\.ts$',
];

/** The files of the client that the explorer imports: what both do with files. */
const SHARED_CLIENT_FILES =
  '^client/src/(commands/import/(ansible/marked-texts|netbox/saved-netbox|variable-keys)|files/yaml-scalars)\\.ts$';

/** The files of the service that the explorer imports: the grammar of filters by variables, and its errors. */
const SHARED_SERVICE_FILES = '^src/(core/errors|variables/filter/filter-parameters)\\.ts$';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...layering,
    {
      name: 'no-folder-without-a-place',
      comment: 'A new folder under src needs a place in the order above.',
      severity: 'error',
      from: {},
      to: { path: '^src/[^/]+/', pathNot: folders.map(filesOf) },
    },
    {
      name: 'folders-do-not-import-the-top',
      comment: 'What stands directly in src puts the folders together.',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: `^src/(${IMPORTS_THE_TOP.join('|')})\\.ts$` },
      to: { path: '^(src/[^/]+\\.ts|ormconfig\\.ts)$' },
    },
    {
      name: 'http-stays-at-the-edge',
      comment:
        'Services take values and return values. Requests and responses belong to controllers and to src/http.',
      severity: 'error',
      from: { path: '^src/', pathNot: [...KNOWS_HTTP.map((folder) => `^src/${folder}/`), ...HTTP_FILES] },
      to: { path: ['node_modules/(@types/)?express/', '^src/http/(list-response|request|response)\\.ts$'] },
    },
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'packages-import-no-program',
      comment: 'The service, the client and the explorer import them.',
      severity: 'error',
      from: { path: '^packages/[^/]+/src/' },
      to: { path: '^(src|client|web|ormconfig)' },
    },
    {
      name: 'packages-are-imported-by-their-names',
      severity: 'error',
      from: { pathNot: '^packages/' },
      to: { path: '^packages/', pathNot: '^packages/[^/]+/src/(index|create-members)\\.ts$' },
    },
    {
      name: 'client-imports-nothing-of-the-service',
      comment: 'The client is a package of its own, and speaks HTTP only.',
      severity: 'error',
      from: { path: '^client/' },
      to: { path: '^(src|ormconfig)' },
    },
    {
      name: 'service-imports-nothing-of-the-client',
      severity: 'error',
      from: { path: '^(src|ormconfig)' },
      to: { path: '^(client|web|node_modules/@muster)/' },
    },
    {
      name: 'web-imports-only-shared-files',
      comment:
        'The browser application uses the service by HTTP only. It shares with it the grammar of filters, and with the client the reading of files.',
      severity: 'error',
      from: { path: '^web/' },
      to: {
        path: '^(src|client|ormconfig|node_modules/@muster)',
        pathNot: [SHARED_CLIENT_FILES, SHARED_SERVICE_FILES],
      },
    },
    {
      name: 'what-the-browser-imports-imports-no-node',
      comment:
        'The explorer runs it in the browser. Globals of Node.js, such as Buffer, are no imports, so that this rule does not see them: functions that use them belong to other files.',
      severity: 'error',
      from: { path: [SHARED_CLIENT_FILES, SHARED_SERVICE_FILES] },
      to: { reachable: true, path: `^(node:)?(${builtinModules.join('|')})$` },
    },
    {
      name: 'web-pages-import-no-other-page',
      comment: 'What several pages share belongs to web/src/components.',
      severity: 'error',
      from: { path: '^web/src/pages/([^/]+)/' },
      to: { path: '^web/src/pages/', pathNot: '^web/src/pages/$1/' },
    },
    {
      name: 'web-components-import-no-page',
      severity: 'error',
      from: { path: '^web/src/(api|components)/' },
      to: { path: '^web/src/pages/' },
    },
    { name: 'no-orphans', severity: 'error', from: { orphan: true, pathNot: ['\\.d\\.ts$'] }, to: {} },
    {
      name: 'not-to-dev-dependencies',
      severity: 'error',
      from: { path: '^(src|packages/[^/]+/src|client|ormconfig)', pathNot: '\\.spec\\.ts$' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    { name: 'not-to-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default'],
    },
  },
};
