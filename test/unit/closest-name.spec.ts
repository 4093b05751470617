import { findClosest } from '../../client/src/text';

it.each([
  ['limt', ['limit', 'list'], 'limit'],
  ['naem', ['note', 'name'], 'name'],
  ['hots', ['host'], 'host'],
  ['ntp_serverz', ['ntp_servers', 'ntp_server'], 'ntp_servers'],
  ['web-2', ['web-1', 'db-1'], 'web-1'],
  ['name', ['note'], undefined],
  ['dns', ['ntp', 'bgp'], undefined],
  ['json', ['reason', 'user'], undefined],
  ['x', ['y', ''], undefined],
])('of names that are near %j, of %j, the closest is %j', (name, known, closest) => {
  expect(findClosest(name, known)).toBe(closest);
});
