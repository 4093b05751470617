import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { whileClientStays } from '../http/request';
import { STREAM_LIMITS, type StreamLimits, StreamedAnswer, type BodySink } from '../http/streamed-response';

/** Answers with JSON that is made while it is sent. */
@Injectable()
export class JsonStreams {
  constructor(@Inject(STREAM_LIMITS) private readonly limits: StreamLimits) {}

  /** @param produce makes the JSON text, as long as the client is there */
  answer(request: Request, produce: (sink: BodySink, gone: AbortSignal) => Promise<void>): StreamedAnswer {
    return new StreamedAnswer({
      headers: { 'content-type': 'application/json; charset=utf-8' },
      timeout: this.limits.timeout,
      produce: (sink) => whileClientStays(request, (gone) => produce(sink, gone)),
    });
  }
}
