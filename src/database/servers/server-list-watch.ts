import {
  Inject,
  Injectable,
  Logger,
  Optional,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import type { Servers } from './servers';

/** The injection token of the `Servers` that the database is one of; null, or without it, there is only one. */
export const SERVERS = Symbol('servers');

/** Follows the database when another server becomes it, for as long as the service runs. */
@Injectable()
export class ServerWatch implements OnModuleInit, OnApplicationShutdown {
  private readonly ending = new AbortController();
  private watching: Promise<void> | undefined;
  private readonly log = new Logger('Servers');

  constructor(@Optional() @Inject(SERVERS) private readonly servers?: Servers | null) {}

  onModuleInit(): void {
    this.watching = this.servers?.watch(this.ending.signal, (server, before) => {
      this.log.warn(`The database is ${server.name} now; it was ${before.name}`);
    });
  }

  /** After the last request. */
  async onApplicationShutdown(): Promise<void> {
    this.ending.abort();
    await this.watching;
  }
}
