import type { Client, ClientConfig, PoolConfig } from 'pg';

/** A driver's client, as pools make them. */
export type ClientClass = new (config?: string | ClientConfig) => Client;

/** How a server is connected to, or the wanted one of several. */
export type ServerConfig = ClientConfig & { readonly Client?: ClientClass };

/** The same for a pool. */
export type ServerPoolConfig = PoolConfig & ServerConfig;
