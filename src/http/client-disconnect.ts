import type { Request } from 'express';

/** Does work for a client, with a signal that tells when the client has left. */
export async function whileClientStays<T>(
  request: Request,
  work: (gone: AbortSignal) => Promise<T>,
): Promise<T> {
  const gone = new AbortController();
  const leave = (): void => {
    gone.abort();
  };
  if (request.socket.destroyed) leave();
  request.socket.once('close', leave);
  try {
    return await work(gone.signal);
  } finally {
    // The connection may live on with other requests.
    request.socket.off('close', leave);
  }
}
