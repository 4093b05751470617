/**
 * Lets requests of this program take as long as they need: the answer to an import comes when all of it is written.
 * Node's own `fetch` gives up after five minutes, and cannot be told otherwise.
 */
export async function allowLongRequests(): Promise<void> {
  const { Agent, install, setGlobalDispatcher } = await import('undici');
  setGlobalDispatcher(new Agent({ headersTimeout: 0, bodyTimeout: 0 }));
  install();
}
