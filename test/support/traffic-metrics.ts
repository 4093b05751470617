import type { Service } from './service';

/** Reads the service's traffic metrics, without keeping a connection open. */
export async function readTrafficMetrics(app: Pick<Service, 'url'>): Promise<{
  readonly inFlight: number;
  readonly refusals: Readonly<Record<string, number>>;
}> {
  const text = await (await fetch(`${app.url}/metrics`, { headers: { Connection: 'close' } })).text();
  const inFlight = /^muster_http_requests_in_flight (\d+)$/m.exec(text)?.[1];
  if (inFlight === undefined) throw new Error('the metric muster_http_requests_in_flight is missing');
  const refusals = [...text.matchAll(/^muster_http_rejections_total\{reason="(\w+)"\} (\d+)$/gm)];
  return {
    inFlight: Number(inFlight),
    refusals: Object.fromEntries(refusals.map(([, reason = '', count]) => [reason, Number(count)])),
  };
}
