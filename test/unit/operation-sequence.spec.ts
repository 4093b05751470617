import type { ChangeSet } from '../../src/changes/change-set';
import { sequenceOf, type SequencedOperation } from '../../src/changes/operation-sequence';

/** A change whose parts touch this many resources each. */
function changeOf(touchedByPart: number): ChangeSet {
  const touched = { count: 0 };
  const change = {
    ctx: {},
    touched,
    part: () => ({ trackedResources: [] }),
    add: () => {
      touched.count += touchedByPart;
    },
  };
  return change as unknown as ChangeSet;
}

const options = {
  note: undefined,
  begin: () => undefined,
  validate: () => Promise.reject(new Error('nothing is tracked')),
};
const operationsWith = (count: number, result: unknown): SequencedOperation[] =>
  Array.from({ length: count }, () => ({ mode: 'run', operation: { run: () => Promise.resolve(result) } }));

describe('a sequence of operations', () => {
  it('touches at most 10,000 resources', async () => {
    await expect(sequenceOf(operationsWith(10, 1), options).run(changeOf(1_000))).resolves.toBeDefined();
    await expect(sequenceOf(operationsWith(11, 1), options).run(changeOf(1_000))).rejects.toMatchObject({
      status: 400,
      details: [{ field: 'operations', code: 'limit_exceeded' }],
    });
  });

  it('counts what array bodies create before anything is written', async () => {
    const operations = (creates: number): SequencedOperation[] =>
      operationsWith(10, 1).map((one) => ({ ...one, operation: { ...one.operation, creates } }));
    await expect(sequenceOf(operations(1_000), options).check?.()).resolves.toBeUndefined();
    await expect(sequenceOf(operations(1_001), options).check?.()).rejects.toMatchObject({
      status: 400,
      details: [{ field: 'operations', code: 'limit_exceeded' }],
    });
  });

  it('has results of at most 64 MiB', async () => {
    const results = (count: number) => operationsWith(count, { body: 'x'.repeat(1024 * 1024) });
    await expect(sequenceOf(results(63), options).run(changeOf(1))).resolves.toBeDefined();
    await expect(sequenceOf(results(64), options).run(changeOf(1))).rejects.toMatchObject({
      status: 400,
      details: [{ field: 'operations', code: 'limit_exceeded' }],
    });
  });
});
