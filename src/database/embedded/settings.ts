import type { DataFolders } from './data-folders';

/** The server's settings: for a small machine that runs other things too, reachable by the socket alone. */
export function serverSettings(folders: DataFolders, durable: boolean): Record<string, string> {
  const onOff = durable ? 'on' : 'off';
  return {
    listen_addresses: '',
    port: '5432',
    // In quotes, because a comma in the path would separate two folders.
    unix_socket_directories: `"${folders.socket.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    fsync: onOff,
    synchronous_commit: onOff,
    full_page_writes: onOff,
    shared_buffers: '128MB',
    max_connections: '100',
    // Whoever is not there any more holds no locks for longer than that, be it while waiting for one.
    client_connection_check_interval: '1s',
    // Nothing replicates from it: the smallest log, and less to write for bulk loads.
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_wal_size: '512MB',
    // Recovery begins with making sure that everything is on the disk: by one call, rather than file by file.
    ...(process.platform === 'linux' ? { recovery_init_sync_method: 'syncfs' } : {}),
    // The packaged PostgreSQL is built without it.
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '%m [%p] ',
    // Above ERROR: clients get to hear of their errors, and a log of all of them, with their statements, would
    // grow with every conflict that is answered with a 409. What befalls the server itself is LOG and up.
    log_min_messages: 'log',
    log_checkpoints: 'off',
  };
}
