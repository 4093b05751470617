import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { untilDisconnected } from '../http/request';
import { STREAM_LIMITS, type StreamLimits, StreamedResponse, type BodySink } from '../http/streamed-response';

/** Creates streamed JSON responses. */
@Injectable()
export class JsonStreamResponder {
  constructor(@Inject(STREAM_LIMITS) private readonly limits: StreamLimits) {}

  /** @param produce writes the JSON text; its signal is aborted when the client disconnects */
  respond(
    request: Request,
    produce: (sink: BodySink, disconnected: AbortSignal) => Promise<void>,
  ): StreamedResponse {
    return new StreamedResponse({
      headers: { 'content-type': 'application/json' },
      timeout: this.limits.timeout,
      produce: (sink) => untilDisconnected(request, (signal) => produce(sink, signal)),
    });
  }
}
