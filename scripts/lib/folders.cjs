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
  // Handlers prepare writes; here they are run, or proposed, and answered.
  ['writes'],
  ['variables'],
  ['resources'],
  // Runs the routes of all collections, through the router.
  ['batch'],
  // Writes that are prepared like those of a batch, and done later.
  ['proposals'],
  ['labels', 'clouds', 'access-secrets', 'accounts', 'views'],
  ['regions'],
  ['cells'],
  ['devices'],
  ['variable-keys', 'statistics'],
  ['impact'],
  // The history reverts changes of definitions and audits, too.
  ['governance'],
  ['history', 'bulk', 'integrations'],
  // Finds what all others hold, changes included.
  ['search'],
  ['observability', 'admin'],
  ['server'],
];

module.exports = { order };
