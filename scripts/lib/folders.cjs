/**
 * The order of the folders under src. A folder imports from those before it, never from those after it, and folders of
 * one line do not import each other: so there is no cycle between folders.
 */
const order = [
  ['core'],
  ['config'],
  ['database'],
  ['migrations'],
  ['lists'],
  ['http'],
  ['auth'],
  ['changes'],
  ['variables'],
  ['resources'],
  ['labels', 'clouds', 'access-secrets', 'accounts'],
  ['regions'],
  ['cells'],
  ['devices'],
  ['variable-keys', 'statistics'],
  ['impact'],
  // The history reverts changes of definitions and audits, too.
  ['governance'],
  ['history', 'bulk', 'integrations', 'search'],
  ['observability', 'admin'],
  ['server'],
];

module.exports = { order };
