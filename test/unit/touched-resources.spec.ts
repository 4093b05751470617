import type { LockedResource } from '../../src/changes/resource-snapshot';
import { TouchedResources } from '../../src/changes/touched-resources';
import type { ResourceMapping } from '../../src/database/resource-mapping';

const mapping = { kind: 'region' } as ResourceMapping;
const other = { kind: 'host' } as ResourceMapping;
const region = (version: number, id = 1): LockedResource => ({
  mapping,
  projectId: 'p',
  id,
  version,
  name: 'north',
  members: '{}',
  variables: '{}',
  labelIds: undefined,
  regionId: null,
  cellId: null,
  readAt: '',
});

/** Adds parts, each of which touches resources, to a change. */
function changeOf(...parts: readonly ((part: TouchedResources) => void)[]): TouchedResources {
  const whole = new TouchedResources();
  for (const touch of parts) {
    const part = new TouchedResources(whole);
    touch(part);
    whole.add(part);
  }
  return whole;
}

const create = (part: TouchedResources) => {
  part.created(mapping, 'p', 1);
};
const update = (version: number) => (part: TouchedResources) => {
  part.locked(region(version));
};
const remove = (version: number) => (part: TouchedResources) => {
  part.locked(region(version));
  part.deleted(region(version));
};

describe('the resources that a change has touched', () => {
  it.each([
    ['updated twice', [update(1), update(2)], [{ before: 1, deleted: false }]],
    ['updated and deleted', [update(1), remove(2)], [{ before: 1, deleted: true }]],
    ['created and updated', [create, update(1)], [{ before: undefined, deleted: false }]],
    ['created, updated and deleted', [create, update(1), remove(2)], []],
  ])('%s: have the first state before, and the last one after', (_, parts, expected) => {
    const recorded = changeOf(...parts).recorded.map(({ before, deleted }) => ({
      before: before?.version,
      deleted,
    }));
    expect(recorded).toEqual(expected);
  });

  it('know the state at the start of the change, for a later part', () => {
    const later = (...parts: readonly ((part: TouchedResources) => void)[]) =>
      new TouchedResources(changeOf(...parts));
    expect(later(update(1)).stateAtStart(region(2))?.version).toBe(1);
    expect(later(create).stateAtStart(region(1))).toBeUndefined();
    expect(later().stateAtStart(region(4))?.version).toBe(4);
  });

  it('are all of one kind only if those of earlier parts are, too', () => {
    const part = new TouchedResources(changeOf(update(1)));
    expect([part.areOnly(mapping), part.areOnly(other)]).toEqual([true, false]);
    part.created(other, 'p', 9);
    expect([part.areOnly(mapping), part.areOnly(other)]).toEqual([false, false]);
  });

  it('must be locked before they are deleted', () => {
    expect(() => {
      new TouchedResources().deleted(region(1));
    }).toThrow('region 1 was deleted without a lock');
  });
});
