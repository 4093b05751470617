export { requirePrivateFolder, prepareFolders, resolveDataDir, socketFolderOf } from './data-folders';
export { startEmbeddedPostgres, type EmbeddedOptions, type EmbeddedPostgres } from './embedded-postgres';
export { currentOwner, isHeld } from './ownership';
export { processIdentity } from './processes';
export { runningPostmaster } from './server';
export { serverUser } from './server-user';
export { EmbeddedPostgresError } from './startup-failures';
