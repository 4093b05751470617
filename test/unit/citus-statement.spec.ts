import { citusStatement } from '../../src/database/citus/citus-statement';
import { RECORDED_PROJECTS } from '../../src/database/tables';

const project = '3f1b6c1e-5a3d-4d0e-9a55-0d2b8f0f6b11';
const adapted = (text: string, values: unknown[]) => citusStatement({ text, values }).text;

describe('a statement about one project on Citus', () => {
  it.each(['c.project_id = t.project_id', 't.project_id = c.project_id'])(
    'names the project for both tables of %s',
    (condition) => {
      const [left, right] = condition.split(' = ');
      const text = `SELECT (SELECT count(*) FROM cells c WHERE ${condition}) FROM regions t WHERE t.project_id = $2`;
      expect(adapted(text, [1, project])).toBe(
        `SELECT (SELECT count(*) FROM cells c WHERE ${left} = $2 AND ${right} = $2 AND ${condition}) FROM regions t WHERE t.project_id = $2`,
      );
    },
  );

  it('can select the project as a row', () => {
    const text =
      'SELECT FROM (SELECT $1::uuid AS project_id) AS s, LATERAL (SELECT FROM devices t WHERE t.project_id = s.project_id) a';
    expect(adapted(text, [project])).toContain(
      't.project_id = $1 AND s.project_id = $1 AND t.project_id = s.project_id',
    );
  });
});

it('a statement about all projects with records has no recursive query on Citus', () => {
  const text = `SELECT FROM changes t WHERE t.project_id IN (${RECORDED_PROJECTS}) AND t.id = $1`;
  expect(adapted(text, [1])).toBe(
    'SELECT FROM changes t WHERE t.project_id IN (SELECT DISTINCT project_id FROM changes) AND t.id = $1',
  );
});

describe('unchanged on Citus is a statement', () => {
  const join = 'SELECT FROM cells c JOIN regions r ON r.project_id = c.project_id';
  it.each([
    ['about all projects', join, []],
    ['with an array of projects', `${join} WHERE c.project_id = ANY($1::uuid[])`, [[project]]],
    ['about two projects', `${join} WHERE c.project_id = $1 OR r.project_id = $2`, [project, 'another']],
    ['about no project', `${join} WHERE c.project_id = $1`, [null]],
  ])('%s', (_, text, values) => {
    expect(adapted(text, values)).toBe(text);
  });
});
