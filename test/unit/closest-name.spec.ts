import * as client from '../../client/src/text';
import * as service from '../../src/core/text';

const cases = [
  ['limt', ['limit', 'list'], 'limit'],
  ['naem', ['note', 'name'], 'name'],
  ['hots', ['host'], 'host'],
  ['ntp_serverz', ['ntp_servers', 'ntp_server'], 'ntp_servers'],
  ['web-2', ['web-1', 'db-1'], 'web-1'],
  ['name', ['note'], undefined],
  ['dns', ['ntp', 'bgp'], undefined],
  ['json', ['reason', 'user'], undefined],
  ['x', ['y', ''], undefined],
] as const;

describe.each([
  ['the client', client.findClosest],
  ['the service', service.findClosest],
])('of %s', (_, findClosest) => {
  it.each(cases)('of names that are near %j, of %j, the closest is %j', (name, known, closest) => {
    expect(findClosest(name, known)).toBe(closest);
  });
});
