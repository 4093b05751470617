import { ServerChoice, type ServerState } from '../../src/database/servers/primary-selection';
import type { Wanted } from '../../src/config/database-urls';

const primary: ServerState = { follows: false, reads: false, cluster: 'c', timeline: '00000001' };
const standby: ServerState = { follows: true, reads: true, cluster: 'c', timeline: null };
const promoted: ServerState = { ...primary, timeline: '00000002' };

type Name = 'a' | 'b';
type Looks = readonly Partial<Record<Name, ServerState>>[];

/** What follows from what two servers say, look by look; who says nothing does not answer. */
function outcomes(wanted: Wanted, looks: Looks): [Name | undefined, Name[]][] {
  const choice = new ServerChoice<Name>(['a', 'b'], wanted);
  return looks.map((look) => {
    const { chosen, unfit } = choice.among(new Map(Object.entries(look) as [Name, ServerState][]));
    return [chosen, [...unfit]];
  });
}

describe('of several servers', () => {
  it.each<[string, Wanted, Looks, [Name | undefined, Name[]][]]>([
    [
      'the first that will do is chosen',
      'read-write',
      [{ a: standby, b: primary }, { a: primary, b: primary }, {}],
      [
        ['b', ['a']],
        ['b', []],
        [undefined, []],
      ],
    ],
    [
      'two that will do are both kept, though one answers late now and then',
      'read-write',
      [{ a: primary, b: primary }, { b: primary }, { a: primary, b: primary }, { a: primary }],
      [
        ['a', []],
        ['b', []],
        ['b', []],
        ['a', []],
      ],
    ],
    [
      'none is left where any will do',
      'any',
      [{ a: primary, b: standby }, { b: standby }, { b: promoted }, { a: primary, b: promoted }],
      [
        ['a', []],
        ['b', []],
        ['b', []],
        ['b', []],
      ],
    ],
    [
      'one that is silent is left when another was promoted',
      'read-write',
      [{ a: primary, b: standby }, { b: standby }, { b: promoted }],
      [
        ['a', ['b']],
        [undefined, ['b']],
        ['b', ['a']],
      ],
    ],
    [
      'one that comes back as a primary of former times is not the one',
      'primary',
      [{ a: promoted }, { a: promoted, b: primary }, { b: primary }],
      [
        ['a', []],
        ['a', ['b']],
        [undefined, ['b']],
      ],
    ],
    [
      'one of a new cluster is of no former times, though its first timeline is older than the last of another',
      'read-write',
      [{ a: promoted, b: standby }, {}, { a: { ...primary, cluster: 'new' } }],
      [
        ['a', ['b']],
        [undefined, []],
        ['a', []],
      ],
    ],
  ])('%s', (_, wanted, looks, expected) => {
    expect(outcomes(wanted, looks)).toEqual(expected);
  });
});
