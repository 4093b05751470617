import type { DataFolders } from './data-folders';

/** The server's settings, for a small machine that is shared with other programs. It only listens on the socket. */
export function serverSettings(folders: DataFolders, durable: boolean): Record<string, string> {
  const onOff = durable ? 'on' : 'off';
  return {
    listen_addresses: '',
    port: '5432',
    // In quotes, because a comma separates folders.
    unix_socket_directories: `"${folders.socket.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    fsync: onOff,
    synchronous_commit: onOff,
    full_page_writes: onOff,
    shared_buffers: '128MB',
    max_connections: '100',
    // Ends statements of disconnected clients, so that they release their locks.
    client_connection_check_interval: '1s',
    // There are no replicas, so the WAL can be minimal.
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_wal_size: '512MB',
    // Recovery begins with flushing the data folder. One call is faster than one per file.
    ...(process.platform === 'linux' ? { recovery_init_sync_method: 'syncfs' } : {}),
    // The packaged PostgreSQL is built without it.
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '%m [%p] ',
    // Above ERROR: clients receive their errors, and the log would grow with every 409 response. Events of the server
    // itself have the level LOG or higher.
    log_min_messages: 'log',
    log_checkpoints: 'off',
  };
}
