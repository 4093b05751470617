/** How much of a file was sent. */
export interface UploadProgress {
  readonly file: Blob;
  /** Both in bytes. */
  readonly sent: number;
  readonly size: number;
}

let current: UploadProgress | undefined;
const listeners = new Set<() => void>();

const report = (progress: UploadProgress | undefined): void => {
  current = progress;
  for (const listener of listeners) listener();
};

/** The file that is being sent, for `useSyncExternalStore`. Only one is at a time. */
export const uploadProgress = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
  current: () => current,
};

interface UploadRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The browser reads it while it is sent. */
  readonly body: Blob;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends a file as `fetch` does, which does not say how much was sent.
 * @throws TypeError if the service cannot be reached, DOMException if the signal aborts it
 */
export function upload(url: string, { method, headers, body, signal }: UploadRequest): Promise<Response> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const request = new XMLHttpRequest();
    request.open(method, url);
    request.responseType = 'blob';
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => {
      report({ file: body, sent: loaded, size: total });
    };
    const abort = () => {
      request.abort();
    };
    signal?.addEventListener('abort', abort);
    request.onloadend = () => {
      signal?.removeEventListener('abort', abort);
      if (current?.file === body) report(undefined);
    };
    request.onload = () => {
      const { status, statusText } = request;
      const response = request.response as Blob;
      // Responses without a body cannot have an empty one.
      resolve(
        new Response(response.size === 0 ? null : response, {
          status,
          statusText,
          headers: headersIn(request.getAllResponseHeaders()),
        }),
      );
    };
    request.onerror = () => {
      reject(new TypeError('The service cannot be reached.'));
    };
    request.onabort = () => {
      reject(new DOMException('The request was aborted.', 'AbortError'));
    };
    request.send(body);
  });
}

const headersIn = (text: string): Headers =>
  new Headers(
    text
      .split('\r\n')
      .filter((line) => line.includes(':'))
      .map((line): [string, string] => [
        line.slice(0, line.indexOf(':')),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
  );
