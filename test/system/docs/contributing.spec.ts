import { cleanUp } from '../embedded/processes';
import {
  commandsOf,
  COLUMN,
  FILTER,
  followRecipes,
  KIND,
  type FollowedRecipes,
} from './recipes/followed-recipes';
import { testKind } from './recipes/kind';
import { testMembers } from './recipes/members';

let followed: FollowedRecipes;
beforeAll(async () => {
  followed = await followRecipes();
}, 400_000);
afterAll(async () => {
  await cleanUp();
  await followed.database.drop();
});

testMembers(() => followed);
testKind(() => followed);

it('serves a route added as CONTRIBUTING.md says', async () => {
  const { root } = followed;
  const host = await root.host({ name: 'web-1', ip_address: '10.0.0.7' });
  const path = `/v1/hosts/${String(host.id)}/ssh-config`;
  await root.get(path).expect(200, { Host: 'web-1', HostName: '10.0.0.7' });
  await root.get('/v1/hosts/999999/ssh-config').expect(404);
  await root.get(path.replace('hosts', 'network-devices')).expect(404);
});

describe('the recipes of CONTRIBUTING.md', () => {
  it('that change what the client knows end with the same command', () => {
    expect([...new Set(commandsOf([COLUMN, FILTER, KIND]))]).toHaveLength(1);
  });

  it('pass the checks of types and formats', async () => {
    await followed.checks;
  }, 240_000);
});
