import { BodyRejectedError, ImportRejectedError } from '../../src/bulk/import/import-rejection';
import { ImportReport } from '../../src/bulk/import/import-report';
import { shownError } from '../../src/bulk/import/line-errors';
import { FailedReferenceError, MissingReferenceError } from '../../src/bulk/import/line-faults';
import { InventoryError, validationError } from '../../src/core/errors';

const invalid = InventoryError.invalid('note', 'invalid_type', 'must be a string');
const conflict = new MissingReferenceError('region', 'there is no region "r"', [
  { kind: 'region', name: 'r' },
]);
const consequence = new FailedReferenceError('parent', 'device "p"', 2);
const long = (length: number) => new InventoryError('invalid_request', 'x'.repeat(length));

/** A report of the lines 2 to 6: two faulty ones, one that references them, and two others. */
function reportOfSix(): ImportReport {
  const report = new ImportReport();
  report.recordInvalid(6, invalid);
  report.recordSuccess(3, 'created', 30);
  report.recordSuccess(4, 'unchanged', 40);
  report.recordFailure(5, consequence);
  report.recordFailure(2, conflict);
  return report;
}

describe('the report of an import', () => {
  it('has the errors of all lines in their order', () => {
    expect(reportOfSix().summary).toEqual({
      ...{ created: 1, updated: 0, unchanged: 1, failed: 3 },
      errors: [
        {
          ...{ line: 2, code: 'validation_exception', message: conflict.message },
          missing: [{ kind: 'region', name: 'r' }],
        },
        { line: 5, code: 'validation_exception', message: consequence.message },
        { line: 6, code: 'invalid_request', message: 'note: must be a string' },
      ],
    });
  });

  it('has the result of each line', () => {
    const report = reportOfSix();
    const error = { code: 'invalid_request', message: 'note: must be a string' };
    expect([1, 3, 4, 6, 7].map((line) => report.resultOf(line))).toEqual([
      undefined,
      { result: 'created', id: 30 },
      { result: 'unchanged', id: 40 },
      { result: 'failed', error: JSON.stringify(error) },
      undefined,
    ]);
    expect([2, 3, 6].map((line) => report.isFaulty(line))).toEqual([true, false, true]);
    expect([2, 3, 4].map((line) => report.isCreated(line))).toEqual([false, true, false]);
    expect([report.failed, report.checked, report.lastLine]).toEqual([3, 3, 6]);
  });

  it('keeps only the invalid lines when it is reset, with what replaced their errors', () => {
    const report = reportOfSix();
    report.replaceInvalid(6, validationError([...invalid.details, ...conflict.details]));
    report.reset();
    const message = 'note: must be a string; region: there is no region "r"';
    const errors = [{ line: 6, code: 'invalid_request', message }];
    expect(report.summary).toEqual({ created: 0, updated: 0, unchanged: 0, failed: 1, errors });
    expect([2, 3, 6].map((line) => report.resultOf(line)?.result)).toEqual([undefined, undefined, 'failed']);
    expect(report.resultOf(6)).toMatchObject({ error: expect.stringContaining(JSON.stringify(message)) });
  });

  it('names 1000 errors, of which those of lines that reference a faulty line are the last', () => {
    const report = new ImportReport();
    for (let line = 1; line <= 10; line++) report.recordFailure(line, consequence);
    for (let line = 11; line < 1_005; line++) report.recordFailure(line, conflict);
    expect(report.hasMaxErrors).toBe(false);
    expect(report.summary.errors.map(({ line }) => line)).toEqual(
      Array.from({ length: 1_000 }, (_, n) => n + (n < 6 ? 1 : 5)),
    );
    for (let line = 1_005; line <= 2_000; line++) report.recordFailure(line, invalid);
    expect(report.hasMaxErrors).toBe(true);
    expect(report.summary).toMatchObject({ failed: 2_000 });
    expect(report.summary.errors.map(({ line }) => line)).toEqual(
      Array.from({ length: 1_000 }, (_, n) => n + 11),
    );
  });

  it('names the variables whose definitions accept texts', () => {
    const report = new ImportReport();
    const detail = (field: string, expected_types: string[]) =>
      ({ field, code: 'schema_violation', message: 'm', expected_types }) as const;
    report.recordFailure(
      2,
      validationError([
        detail('variables.kernel', ['string']),
        detail('variables.port', ['integer']),
        detail('variables.disk/0/name', ['string']),
        detail('note', ['string']),
      ]),
    );
    expect(report.summary.errors).toMatchObject([{ expected_texts: ['kernel'] }]);
  });

  it('keeps 2,000 characters of each message', () => {
    const report = new ImportReport();
    report.recordInvalid(2, long(3_000));
    report.recordInvalid(3, shownError(long(3_000)));
    const message = 'x'.repeat(2_000);
    expect(report.summary.errors.map((error) => error.message)).toEqual([message, message]);
    for (const line of [2, 3])
      expect(report.resultOf(line)).toEqual({
        result: 'failed',
        error: JSON.stringify({ code: 'invalid_request', message }),
      });
  });

  it('keeps 16 MiB of messages, and omits further ones, also when they are replaced', () => {
    const report = new ImportReport();
    const last = Math.ceil((16 * 1024 * 1024) / 2_000);
    for (let line = 1; line <= last; line++) report.recordInvalid(line, long(2_000));
    report.recordInvalid(last + 1, invalid);
    report.recordInvalid(last + 2, conflict);
    report.recordInvalid(last + 3, invalid);
    report.replaceInvalid(last, invalid);
    report.replaceInvalid(last + 1, conflict);
    const omitted = (code: string) => ({
      result: 'failed',
      error: JSON.stringify({ code, message: 'The message is omitted, because too many lines failed.' }),
    });
    expect([-1, 0, 1, 2, 3].map((n) => report.resultOf(last + n))).toEqual([
      { result: 'failed', error: expect.stringContaining('xxx') as string },
      { result: 'failed', error: JSON.stringify({ code: 'invalid_request', message: invalid.message }) },
      omitted('invalid_request'),
      omitted('validation_exception'),
      omitted('invalid_request'),
    ]);
  });
});

describe('an import that is rejected', () => {
  const warnings = {};
  const messageOf = (unchecked: number, isStopped = false) => {
    const { errors, failed } = reportOfSix().rejection;
    return new ImportRejectedError({ errors, failed, unchecked, isStopped, warnings }).message;
  };
  const FIRST = 'line 2: region: there is no region "r" (and 1 more)';
  const MORE = 'not checked because of this; more errors may follow when this is corrected.';

  it('has the code of its first faulty line, and the counts', () => {
    const error = new ImportRejectedError(reportOfSix().rejection);
    expect([error.code, error.message]).toEqual([
      'validation_exception',
      `${FIRST}. 1 other line was ${MORE}`,
    ]);
    expect(error.details).toEqual([
      { field: 'line 2', code: 'not_found', message: conflict.message },
      { field: 'line 6', code: 'invalid_type', message: 'note: must be a string' },
    ]);
    expect(error.extraMembers).toEqual({
      ...{ created: 0, updated: 0, unchanged: 0, failed: 2, unchecked: 1 },
      errors: reportOfSix().summary.errors.filter(({ line }) => line !== 5),
    });
  });

  it.each([
    [0, FIRST],
    [1, `${FIRST}. 1 other line was ${MORE}`],
    [7, `${FIRST}. 7 other lines were ${MORE}`],
  ])('says that %i other lines were not checked', (unchecked, message) => {
    expect(messageOf(unchecked)).toBe(message);
    const stopped = ' The import stopped at 2 faulty lines, and did not check what follows them.';
    expect(messageOf(unchecked, true)).toBe(`${message}${stopped}`);
  });

  it('has what was found before its body could not be read', () => {
    const reason = InventoryError.invalidBody('invalid_format', 'It is no table.');
    const { summary } = reportOfSix();
    const error = new BodyRejectedError(reason, summary);
    expect([error.code, error.message, error.details]).toEqual([reason.code, reason.message, reason.details]);
    expect(error.extraMembers).toEqual(summary);
  });
});
