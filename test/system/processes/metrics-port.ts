import { Caller } from '../../support/caller';

/** Expects that a new service serves its metrics on `port` alone. */
export async function expectMetricsOnTheirPort(caller: Caller, port: number): Promise<void> {
  const metrics = new Caller(`http://127.0.0.1:${String(port)}`, caller.credentials);
  for (let i = 0; i < 10; i++) await caller.get('/v1/regions').expect(200);
  await caller.get('/metrics').expect(404);
  expect(await counted(metrics)).toBe(10);
  // Only operators see why authentication failed.
  expect(await failAuthentication(caller, metrics)).toEqual([
    'muster_authentication_failures_total{reason="no credentials"} 1',
    'muster_authentication_failures_total{reason="malformed credentials"} 1',
  ]);
}

/** Fails to authenticate twice. @returns what the metrics say about it */
export async function failAuthentication(caller: Caller, metrics: Caller): Promise<string[]> {
  const unknown = caller.as({ ...caller.credentials, token: 'no key' });
  await unknown.get('/v1/regions').expect(401);
  expect((await fetch(`${caller.url}/v1/regions`)).status).toBe(401);
  const { text } = await metrics.get('/metrics').expect(200);
  return text.split('\n').filter((line) => /^muster_authentication_failures_total.* [1-9]/.test(line));
}

/** The number of requests for regions in the metrics. */
export async function counted(caller: Caller): Promise<number> {
  const { text } = await caller.get('/metrics').expect(200);
  const counts = text.matchAll(/_seconds_count\{[^}]*"\/v1\/regions"[^}]*\} (\d+)/g);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}
