import { Backoff } from '../../src/core/backoff';

it('Backoff doubles the delay up to a maximum, and starts again after a reset', () => {
  const backoff = new Backoff(100, 350);
  expect([backoff.next(), backoff.next(), backoff.next(), backoff.next()]).toEqual([100, 200, 350, 350]);
  backoff.reset();
  expect(backoff.next()).toBe(100);
});
