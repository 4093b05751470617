/** The order of the folders under src: a folder imports from those before it, never from those after it. */
const tiers = [
  ['shared', 'migrations'],
  ['auth'],
  ['changes'],
  ['variables'],
  ['resources'],
  ['labels', 'clouds', 'access-secrets', 'accounts'],
  ['regions'],
  ['cells'],
  ['devices'],
  ['impact'],
  ['provenance'],
  ['governance'],
  ['history', 'integrations', 'bulk'],
  ['verification', 'backup'],
  ['commands'],
];

const folder = (names) => `^src/(${names.join('|')})/`;

const layering = tiers.slice(0, -1).map((tier, i) => ({
  name: `${tier.join('-')}-imports-nothing-above`,
  comment: 'Imports point one way: see docs/architecture.md.',
  severity: 'error',
  from: { path: folder(tier) },
  to: { path: folder(tiers.slice(i + 1).flat()) },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...layering,
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'shared-knows-no-word-of-the-domain',
      severity: 'error',
      from: { path: '^src/shared/', pathNot: '^src/shared/persistence/(connected-as|open-database)\\.ts$' },
      to: { path: '^(src/(?!shared/)|ormconfig)' },
    },
    {
      name: 'siblings-do-not-know-each-other',
      comment: 'Labels, clouds, secrets and accounts stand side by side.',
      severity: 'error',
      from: { path: '^src/(labels|clouds|access-secrets|accounts)/' },
      to: { path: '^src/(labels|clouds|access-secrets|accounts)/', pathNot: '^src/$1/' },
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
      to: { path: '^(client|node_modules/@muster)/' },
    },
    { name: 'no-orphans', severity: 'error', from: { orphan: true, pathNot: ['\\.d\\.ts$'] }, to: {} },
    {
      name: 'not-to-dev-dependencies',
      severity: 'error',
      from: { path: '^(src|client|ormconfig)', pathNot: '\\.spec\\.ts$' },
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
