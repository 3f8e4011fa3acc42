// Lowest first: a module imports from its own layer and those below. Other files at the top of src/ are entry points.
const LAYERS = [
  ['contract', '^src/contract/'],
  ['observability', '^src/observability/'],
  ['auth, db, images, storage, log', '^src/((auth|db|images|storage)/|(log|retry|cache)[.])'],
  ['config, services', '^src/(config|services)[.]'],
  ['http, stream, push, worker', '^src/(http|stream|push|worker)/'],
  ['domains, admin, openapi', '^src/(domains|admin|openapi)/'],
  ['docs', '^src/docs/'],
  ['app', '^src/app[.]'],
  ['entry points', '^src/(?!(log|retry|cache|config|services|app)[.])[^/]+$'],
];

const ENTRIES = LAYERS.at(-1)[1];

const pathsOf = (layers) => layers.map(([, path]) => path);

const onlyDownwards = LAYERS.slice(0, -1).map(([name, path], rank) => ({
  name: `${name}: imports point down only`,
  severity: 'error',
  from: { path },
  to: { path: pathsOf(LAYERS.slice(rank + 1)) },
}));

export default {
  forbidden: [
    ...onlyDownwards,
    {
      name: 'every module has a layer',
      severity: 'error',
      from: {},
      to: { path: '^src/', pathNot: pathsOf(LAYERS) },
    },
    {
      name: 'only http/, admin/, docs/ and what assembles them know HTTP',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/(http|admin|docs)/', '^src/app[.]', '^src/[^/]+$'] },
      to: { path: 'node_modules/(hono|@hono)/' },
    },
    {
      name: 'only db/ and worker/ know SQL',
      severity: 'error',
      // The log tells errors of Postgres by their class, to leave out what they quote.
      from: { path: '^src/', pathNot: ['^src/(db|worker)/', '^src/log[.]'] },
      to: { path: 'node_modules/(pg|kysely)/' },
    },
    {
      name: 'src/ is complete without scripts/, tests/ and tools/',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(scripts|tests|tools)/' },
    },
    {
      name: 'scripts/ is complete without tests/',
      severity: 'error',
      from: { path: '^scripts/' },
      to: { path: '^tests/' },
    },
    {
      name: 'a process of the API does not load the worker',
      severity: 'error',
      from: { path: '^src/server[.]' },
      to: { path: '^src/worker/', dynamic: false },
    },
    {
      name: 'clients/ know the service by its address alone',
      severity: 'error',
      from: { path: '^clients/' },
      to: { path: '^(src|scripts|tests|tools)/' },
    },
    {
      name: 'npm start, npm test and what they run need no tools',
      severity: 'error',
      from: {
        path: '^(scripts|tests)/',
        // Benchmarks, pictures, the suites that install the tools, and what they share.
        pathNot: [
          '^scripts/(bench/|pictures[.])',
          '^tests/(client|deep|edge|local|pages|pipeline)/',
          '^tests/support/(chromium|web-app)[.]',
        ],
      },
      to: { path: '^tools/', reachable: true },
    },
    {
      name: 'src/ runs without what is installed for development',
      severity: 'error',
      // A bundle has its packages in it.
      from: { path: '^src/', pathNot: ['^src/edge[.]', '^src/images/edge/'] },
      to: { dependencyTypes: ['npm-dev'] },
    },
    {
      name: 'nothing is dead',
      severity: 'error',
      from: { path: [ENTRIES, '^scripts/'] },
      to: { path: '^src/', pathNot: ENTRIES, reachable: false },
    },
    { name: 'no cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'every import resolves', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['node', 'import', 'default', 'types'],
    },
  },
};
