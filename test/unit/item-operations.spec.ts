import type { ChangeSet } from '../../src/changes/change-set';
import { type Operation, RecordedResult, resultOf, type StoredChange } from '../../src/changes/operation';
import { prepareItems } from '../../src/changes/item-operations';
import { InventoryError } from '../../src/core/errors';
import type { Sql } from '../../src/database/sql';

const operation = (result: string): Operation<string> => ({ run: () => Promise.resolve(result) });

const failure = (field: string): InventoryError => InventoryError.invalid(field, 'invalid_value', 'is wrong');

const failing = (error: Error): Operation<string> => ({ run: () => Promise.reject(error) });

/** A change set whose transaction only notes its statements. */
function changeOf(statements: string[] = []): ChangeSet {
  const execute = ({ text }: Sql) => {
    statements.push(text);
    return Promise.resolve(0);
  };
  return { tx: { execute } } as unknown as ChangeSet;
}

const stored = { changeId: 7 } as StoredChange;

describe('several operations as one', () => {
  it('have the results of all, in their order, also of those that need the record', async () => {
    const recorded: Operation<string> = {
      run: () =>
        Promise.resolve(new RecordedResult(({ changeId }) => Promise.resolve(`c${String(changeId)}`))),
    };
    const all = prepareItems([() => operation('a'), () => recorded, () => operation('b')]);
    expect(await resultOf(await all.run(changeOf()), stored)).toEqual(['a', 'c7', 'b']);
  });

  it('have the first note, and the caches of all, each once', () => {
    const [users, settings] = [{ invalidate: jest.fn() }, { invalidate: jest.fn() }];
    const all = prepareItems([
      () => ({ ...operation('a'), note: '', invalidates: [users] }),
      () => ({ ...operation('b'), note: 'first', invalidates: [users, settings] }),
      () => ({ ...operation('c'), note: 'second' }),
    ]);
    expect(all.note).toBe('first');
    expect(all.invalidates).toEqual([users, settings]);
  });

  it('are not prepared if the roles do not allow some, all of which are named', () => {
    const forbidden = () => {
      throw new InventoryError('forbidden', 'No.');
    };
    const prepared = () => prepareItems([forbidden, () => operation('a'), forbidden]);
    expect(prepared).toThrow(
      expect.objectContaining({
        code: 'forbidden',
        details: [
          { field: '[0]', code: 'missing_role', message: 'No.' },
          { field: '[2]', code: 'missing_role', message: 'No.' },
        ],
      }) as Error,
    );
  });

  it('are checked together before they run', async () => {
    const check = (field: string) => () => Promise.reject(failure(field));
    const all = prepareItems([
      () => ({ ...operation('a'), check: check('x') }),
      () => operation('b'),
      () => ({ ...operation('c'), check: check('y') }),
    ]);
    await expect(all.check?.()).rejects.toMatchObject({
      details: [{ field: '[0].x' }, { field: '[2].y' }],
    });
  });

  it('fail with the errors of all that fail, each rolled back to its savepoint', async () => {
    const statements: string[] = [];
    const all = prepareItems([
      () => failing(failure('x')),
      () => operation('b'),
      () => failing(failure('y')),
    ]);
    await expect(all.run(changeOf(statements))).rejects.toMatchObject({
      code: 'invalid_request',
      details: [{ field: '[0].x' }, { field: '[2].y' }],
    });
    const rolledBack = ['SAVEPOINT part', 'ROLLBACK TO SAVEPOINT part', 'RELEASE SAVEPOINT part'];
    expect(statements).toEqual([...rolledBack, 'SAVEPOINT part', 'RELEASE SAVEPOINT part', ...rolledBack]);
  });

  it.each([new Error('unexpected'), new InventoryError('unavailable', 'Retry.')])(
    'end with an error that no single operation caused: %s',
    async (error) => {
      const statements: string[] = [];
      const all = prepareItems([() => failing(error), () => operation('b')]);
      await expect(all.run(changeOf(statements))).rejects.toBe(error);
      expect(statements).toEqual(['SAVEPOINT part']);
    },
  );
});
