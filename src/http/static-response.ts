import type { Response } from 'express';
import { codingFor, compress, setCoding, type Coding } from './compression';
import { currentCopy, digestTag } from './entity-tag';

/**
 * A public response that is the same for all clients, such as the API description. It is compressed once. A client that
 * keeps a copy revalidates it with its entity tag.
 */
export class StaticResponse {
  private readonly tag: string;
  private readonly compressed = new Map<Coding, Buffer>();

  /** @param type the value of `Content-Type` */
  constructor(
    private readonly type: string,
    private readonly bytes: Buffer,
  ) {
    this.tag = digestTag(bytes);
  }

  send(response: Response): void {
    const coding = codingFor(response, this.bytes.length);
    response.setHeader('cache-control', 'no-cache');
    // Not `response.send`: it sends no 304 to a request with `Cache-Control: no-cache`, which `fetch` adds to
    // `If-None-Match`.
    const copy = currentCopy(response.req.get('if-none-match'), this.tag);
    response.setHeader('etag', copy ?? this.tag);
    if (copy !== undefined) {
      response.status(304).end();
      return;
    }
    response.setHeader('content-type', this.type);
    if (coding) setCoding(response, coding);
    const body = coding ? this.inCoding(coding) : this.bytes;
    response.setHeader('content-length', body.length);
    response.end(body);
  }

  private inCoding(coding: Coding): Buffer {
    let body = this.compressed.get(coding);
    if (!body) this.compressed.set(coding, (body = compress[coding](this.bytes)));
    return body;
  }
}
