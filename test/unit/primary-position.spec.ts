import { PrimaryPosition } from '../../src/database/replication/primary-position';

const log = (timeline: number) => `00000000000000aa-${String(timeline).padStart(8, '0')}`;
const at = (position: number) => position.toString(16).padStart(16, '0');

/** A primary with these sampled positions. */
function primaryLog(samples: readonly (readonly [second: number, position: number, timeline?: number])[]) {
  const primary = new PrimaryPosition(10_000);
  for (const [second, position, timeline = 1] of samples)
    primary.addSample({ log: log(timeline), at: at(position) }, second * 1000);
  return {
    age: (position: number, second: number) => primary.ageOf(at(position), second * 1000) / 1000,
    lag: (position: number, second: number) => primary.lagOf(at(position), second * 1000) / 1000,
    primary,
  };
}

describe("the age of a replica's data", () => {
  it("counts from the primary's last sample at or before the replica's position", () => {
    const { age, lag } = primaryLog([
      [1, 100],
      [2, 200],
      [3, 300],
    ]);
    expect([age(300, 3.5), lag(300, 3.5)]).toEqual([0.5, 0]);
    expect([age(999, 3.5), lag(999, 3.5)]).toEqual([0.5, 0]);
    expect([age(200, 3.5), lag(200, 3.5)]).toEqual([1.5, 0.5]);
    expect([age(199, 3.5), lag(199, 3.5)]).toEqual([2.5, 1.5]);
  });

  it('grows while the primary is unreachable', () => {
    expect(primaryLog([[1, 100]]).age(100, 60)).toBe(59);
  });

  it('is unknown for positions before the first sample', () => {
    const { age, lag } = primaryLog([[1, 100]]);
    expect([age(99, 1), lag(99, 1)]).toEqual([Infinity, Infinity]);
    expect(primaryLog([]).age(99, 1)).toBe(Infinity);
  });

  it('does not grow without writes', () => {
    const idle = primaryLog(Array.from({ length: 100 }, (_, second) => [second, 100] as const));
    expect([idle.age(100, 99), idle.lag(100, 99)]).toEqual([0, 0]);
  });

  it('is known only for the configured time', () => {
    const busy = primaryLog(Array.from({ length: 100 }, (_, second) => [second, second] as const));
    expect(busy.age(89, 99)).toBe(10);
    expect(busy.age(80, 99)).toBe(Infinity);
  });

  it('is reset by another primary, and by a primary that was restored', () => {
    const promoted = primaryLog([
      [1, 100],
      [2, 90, 2],
    ]);
    expect(promoted.primary.name).toBe(log(2));
    expect([promoted.age(89, 3), promoted.age(90, 3)]).toEqual([Infinity, 1]);
    const restored = primaryLog([
      [1, 100],
      [2, 90],
    ]);
    expect([restored.age(89, 3), restored.age(95, 3)]).toEqual([Infinity, 1]);
  });
});
