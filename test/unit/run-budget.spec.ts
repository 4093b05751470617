import { DatabaseError } from 'pg';
import { RunBudget, convertRunTimeout } from '../../src/governance/audits/run-budget';

describe('the time limit of an audit run', () => {
  it('is reported as exceeded after a statement timeout and at its end', async () => {
    const timedOut = Object.assign(new DatabaseError('statement timeout', 9, 'error'), { code: '57014' });
    const run = convertRunTimeout(() => Promise.reject(timedOut));
    await expect(run).rejects.toMatchObject({ code: 'validation_exception' });
    const over = new RunBudget(new AbortController().signal, 0);
    await expect(over.yieldToEventLoop()).rejects.toMatchObject({ code: 'validation_exception' });
    expect(over.hasTime()).toBe(false);
  });

  it('ends when the client disconnects', async () => {
    const client = new AbortController();
    const time = new RunBudget(client.signal);
    await time.yieldToEventLoop();
    expect(time.hasTime()).toBe(true);
    client.abort();
    await expect(time.yieldToEventLoop()).rejects.toMatchObject({ code: 'unavailable' });
    expect(() => time.hasTime()).toThrow('disconnected');
  });
});
