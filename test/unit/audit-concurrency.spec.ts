import { DatabaseError } from 'pg';
import { RunTime, withinRunTime } from '../../src/governance/audits/run-budget';
import { RunTurns } from '../../src/governance/audits/audit-concurrency';

describe('turns of runs', () => {
  const AT_ONCE = 2;
  const WAITING = 20;

  /** A run that has begun when its promise says so, and ends when it is told to. */
  function begin(turns: RunTurns, gone = new AbortController().signal) {
    let began = false;
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const result = turns.take(gone, async () => {
      began = true;
      await ended;
    });
    return { result, end, began: () => began };
  }
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  it('are taken in the order of coming, a few at a time', async () => {
    const turns = new RunTurns();
    const runs = Array.from({ length: 5 }, () => begin(turns));
    const begun = async () => {
      await settled();
      return runs.map(({ began }) => began());
    };
    expect(await begun()).toEqual([true, true, false, false, false]);
    runs[1]?.end();
    expect(await begun()).toEqual([true, true, true, false, false]);
    for (const { end } of runs) end();
    await Promise.all(runs.map(({ result }) => result));
    expect(await begun()).toEqual([true, true, true, true, true]);
  });

  it('are passed on by work that fails', async () => {
    const turns = new RunTurns();
    const fails = () => turns.take(new AbortController().signal, () => Promise.reject(new Error('failed')));
    for (let i = 0; i < 2 * AT_ONCE; i++) await expect(fails()).rejects.toThrow('failed');
    const last = begin(turns);
    last.end();
    await last.result;
  });

  it('are given up by who leaves, and refused to who finds no place to wait', async () => {
    const turns = new RunTurns();
    const runs = Array.from({ length: AT_ONCE + WAITING - 1 }, () => begin(turns));
    const leaver = new AbortController();
    const left = begin(turns, leaver.signal);
    await expect(begin(turns).result).rejects.toMatchObject({ code: 'unavailable' });
    leaver.abort();
    await expect(left.result).rejects.toMatchObject({ code: 'unavailable' });
    const last = begin(turns);
    for (const { end } of [...runs, last]) end();
    await Promise.all([...runs, last].map(({ result }) => result));
    expect([left.began(), last.began()]).toEqual([false, true]);
  });

  it('say why where the database has ended their statement, or their time is over', async () => {
    const timedOut = Object.assign(new DatabaseError('statement timeout', 9, 'error'), { code: '57014' });
    const run = withinRunTime(() => Promise.reject(timedOut));
    await expect(run).rejects.toMatchObject({ code: 'validation_exception' });
    const over = new RunTime(new AbortController().signal, 0);
    await expect(over.pause()).rejects.toMatchObject({ code: 'validation_exception' });
  });

  it('end when their clients leave', async () => {
    const leaver = new AbortController();
    const time = new RunTime(leaver.signal);
    await time.pause();
    leaver.abort();
    await expect(time.pause()).rejects.toMatchObject({ code: 'unavailable' });
  });
});
