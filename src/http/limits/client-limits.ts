import { Logger } from '@nestjs/common';
import type { Server, ServerOptions } from 'node:http';
import type { Environment } from '../../config/environment';
import type { InFlight } from './active-requests';
import type { Refusals } from './rejection-metrics';
import { SlowClients } from './slow-client-timeout';

/** In milliseconds: so often is looked whose headers do not come. */
const LOOK_EVERY = 1_000;

/** In milliseconds: a client that has vanished without a word is asked for after as long. */
const PROBE_AFTER = 60_000;

/** What a server has to be made with. */
export function serverOptions({ HEADER_LIMIT_BYTES }: Environment): ServerOptions {
  return {
    maxHeaderSize: HEADER_LIMIT_BYTES,
    connectionsCheckingInterval: LOOK_EVERY,
    keepAlive: true,
    keepAliveInitialDelay: PROBE_AFTER,
  };
}

/** Holds the clients of a server to their limits, for as long as it listens. */
export function limitClients(
  server: Server,
  { inFlight, refusals }: { readonly inFlight: InFlight; readonly refusals: Refusals },
  environment: Environment,
): void {
  server.maxConnections = environment.MAX_CONNECTIONS;
  server.headersTimeout = environment.HEADER_SECONDS * 1000;
  // An import may take long to be sent: a body has to keep pace, and ordinary ones have a time of their own.
  server.requestTimeout = 0;
  const log = new Logger('Clients');
  const limits = { stall: environment.CLIENT_STALL_SECONDS, pace: environment.CLIENT_PACE_BYTES };
  const slow = new SlowClients(inFlight, limits, (sentence) => {
    refusals.count('slow');
    log.warn(sentence);
  });
  server.once('close', slow.watch());
}
