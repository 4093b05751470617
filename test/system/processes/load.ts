import * as http from 'node:http';
import * as https from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from '../../support/caller';
import { authHeaders } from '../../support/exchange';

/** In milliseconds: a client waits for up to so long before it asks again, so that connections are idle now and then. */
const MOST_PAUSE = 20;

/** Clients that ask again and again: some on connections that they keep, some on a new one each time. */
export class Load {
  /** How many requests were answered as they should be. */
  answered = 0;
  /** What was wrong with the others. */
  readonly failures: string[] = [];
  private isOver = false;
  private readonly clients: Promise<void>[];

  /** @param ca the certificate to trust, where the service speaks TLS */
  constructor(
    private readonly caller: Caller,
    private readonly ca?: string,
  ) {
    this.clients = [true, true, true, false, false].map((keepAlive) => this.ask(keepAlive));
  }

  async end(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.clients);
  }

  private async ask(keepAlive: boolean): Promise<void> {
    const options = { keepAlive, maxSockets: 1 };
    const agent =
      this.ca === undefined ? new http.Agent(options) : new https.Agent({ ...options, ca: this.ca });
    for (let round = 0; !this.isOver; round++) {
      // Writes go to other connections than reads, and leave them idle now and then.
      const failure = await this.once(agent, round % 5 === 0);
      if (failure === undefined) this.answered++;
      else this.failures.push(failure);
      await pause((round * 7) % MOST_PAUSE);
    }
    agent.destroy();
  }

  /** @returns what went wrong */
  private once(agent: http.Agent, isWrite: boolean): Promise<string | undefined> {
    return new Promise((resolve) => {
      const url = `${this.caller.url}/v1/${isWrite ? 'labels' : 'regions'}`;
      const headers = { ...authHeaders(this.caller.credentials), 'content-type': 'application/json' };
      const { request } = this.ca === undefined ? http : https;
      const sent = request(url, { method: isWrite ? 'POST' : 'GET', agent, headers }, (response) => {
        response.resume();
        response.once('error', (error) => {
          resolve(error.message);
        });
        response.once('end', () => {
          const { statusCode, complete } = response;
          const isRight = complete && statusCode === (isWrite ? 201 : 200);
          resolve(isRight ? undefined : `${String(statusCode)}, ${complete ? 'complete' : 'cut off'}`);
        });
      });
      sent.once('error', (error) => {
        resolve(error.message);
      });
      sent.end(isWrite ? JSON.stringify({ label: `of-${String(Math.random())}` }) : undefined);
    });
  }
}
