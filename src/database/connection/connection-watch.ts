import type { PoolClient } from 'pg';
import { QueryRunnerAlreadyReleasedError } from 'typeorm';
import { isDatabaseUnavailable, postgresError, TransactionTimeoutError } from '../errors/postgres-error';

/** Watches a connection during one transaction: whether it is lost, and why. */
export class ConnectionWatch {
  private reason: Error | undefined;
  private onEnd: () => void = () => undefined;
  /** Created in advance, because the event can precede the first `await`. */
  private readonly ended = new Promise<void>((resolve) => (this.onEnd = resolve));
  private readonly timer: NodeJS.Timeout | undefined;
  private readonly onError = (error: Error): void => {
    this.reason ??= error;
  };

  /** @param seconds the timeout, after which the connection is destroyed, and with it the transaction */
  constructor(
    private readonly client: PoolClient,
    seconds: number | undefined,
  ) {
    client.on('error', this.onError);
    client.once('end', this.onEnd);
    if (seconds === undefined) return;
    this.timer = setTimeout(() => {
      this.reason ??= new TransactionTimeoutError(seconds);
      client.connection.stream.destroy();
    }, seconds * 1000);
  }

  /** Why the connection was lost, if an error is a consequence of that. */
  reasonOf(error: unknown): Error | undefined {
    // An error of the database precedes the loss of the connection.
    if (postgresError(error)) return undefined;
    const isConsequence = isDatabaseUnavailable(error) || error instanceof QueryRunnerAlreadyReleasedError;
    return isConsequence ? this.reason : undefined;
  }

  /** Destroys the connection, so that it does not return to the pool. */
  async destroy(): Promise<void> {
    this.client.connection.stream.destroy();
    await this.ended;
  }

  end(): void {
    clearTimeout(this.timer);
    this.client.off('error', this.onError);
    this.client.off('end', this.onEnd);
  }
}
