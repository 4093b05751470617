import type { Response } from 'express';

/** Sets an answer's headers. What it varies with comes beside what it varies with already: with its origin, say. */
export function setHeaders(response: Response, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (name === 'vary') response.vary(value);
    else response.setHeader(name, value);
  }
}
