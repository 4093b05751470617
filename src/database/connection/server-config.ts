import type { Client, ClientConfig, PoolConfig } from 'pg';

/** The class of the clients that a pool creates. */
export type ClientClass = new (config?: string | ClientConfig) => Client;

/** The configuration of connections to a server, or to the selected one of several servers. */
export type ServerConfig = ClientConfig & { readonly Client?: ClientClass };

/** The same for a pool. */
export type ServerPoolConfig = PoolConfig & ServerConfig;
