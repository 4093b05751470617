import request, { type Test } from 'supertest';
import type { OwnService } from '../service';
import { samplesOf } from '../prometheus-text';
import { until } from '../until';
import type { KeystoneUser } from './keystone';

type Headers = Readonly<Record<string, string>>;

/** A Keystone ID in the format of Muster. */
export const uuid = (hex: string): string =>
  hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** The settings of an instance that uses Keystone as this user. */
export const loginOf = ({ name, password }: KeystoneUser): Record<string, string> => ({
  KEYSTONE_USERNAME: name,
  KEYSTONE_PASSWORD: password,
});

/** Sends a request with only a token as credentials. */
export const get = (url: string, token: string, path = '/v1/regions', headers: Headers = {}): Test =>
  request(url)
    .get(path)
    .set({ 'X-Auth-Token': token, ...headers });

export const post = (url: string, token: string, path: string, body: object): Test =>
  request(url).post(path).set('X-Auth-Token', token).send(body);

/** The users of a Keystone project in an instance. */
export const usersIn = async ({ root }: OwnService, project: string): Promise<Record<string, unknown>[]> =>
  (await root.get(`/v1/users?project_id=${uuid(project)}`).expect(200)).body as Record<string, unknown>[];

/**
 * Expects that an instance has logged once why it rejects a token. A slow Keystone is another reason for a 503, and a line of the
 * log may arrive later than the response.
 */
export async function loggedOnce({ url, program }: OwnService, token: string, sentence: string) {
  const lines = () => program.lines.filter((line) => line.includes(sentence));
  await until(`the log says: ${sentence}`, 60, async () => {
    await get(url, token).expect(503);
    return lines().length > 0;
  });
  expect(lines()).toHaveLength(1);
}

/** What the metrics and the log of an instance report about an unavailable Keystone. */
export async function outageReport({ url, program }: OwnService) {
  const samples = samplesOf((await request(url).get('/metrics').expect(200)).text);
  const lines = program.lines.filter((line) => line.includes('because Keystone is unavailable'));
  return {
    away: samples.get('muster_keystone_unavailable'),
    isCounted: (samples.get('muster_keystone_requests_total{outcome="unavailable"}') ?? 0) > 0,
    lines:
      lines.length === 0 ? 'none' : lines.some((line) => line.includes('"err"')) ? 'a stack' : 'no stack',
  };
}
