/** A request, from its admission until its response is sent and its handler is done. */
export class ActiveRequest {
  private isHandling = false;
  private isClosed = false;
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param releaseSlot removes the request from the count; calling it again does nothing
   * @param disconnect disconnects the client, for a reason
   */
  constructor(
    readonly releaseSlot: () => void,
    private readonly disconnect: (reason: string) => void,
  ) {}

  /** The handler starts. The request counts until `handlerDone`, even if its client disconnects before. */
  handlerStarted(): void {
    this.isHandling = true;
  }

  /** The handler is done; only the response is left to send. */
  handlerDone(): void {
    this.isHandling = false;
    if (this.isClosed) this.releaseSlot();
  }

  /** Disconnects the client if the response is not sent within this time. */
  limitDuration(seconds: number): void {
    this.timer = setTimeout(() => {
      this.disconnect(`it did not read a response within ${String(seconds)} seconds`);
    }, seconds * 1000);
  }

  /** The response is sent, or the connection is closed. */
  close(): void {
    clearTimeout(this.timer);
    this.isClosed = true;
    if (!this.isHandling) this.releaseSlot();
  }
}
