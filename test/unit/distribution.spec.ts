import { distributedText, RECORDED_PROJECTS, routeToProject } from '../../src/database/distribution';

const project = '0b9c0a5e-3f0a-4d0e-9a55-0d2b8f0f6b11';

describe('a statement about one project', () => {
  it('names the project for each table that is compared with the project of another one', () => {
    const text =
      'SELECT (SELECT count(*) FROM cells c WHERE c.project_id = t.project_id) FROM regions t WHERE t.project_id = $2';
    expect(routeToProject(text, [1, project])).toBe(
      'SELECT (SELECT count(*) FROM cells c WHERE c.project_id = $2 AND c.project_id = t.project_id) FROM regions t WHERE t.project_id = $2',
    );
  });

  it('can select the project as a row', () => {
    const text =
      'SELECT FROM (SELECT $1::uuid AS project_id) AS s, LATERAL (SELECT FROM devices t WHERE t.project_id = s.project_id) a';
    expect(routeToProject(text, [project])).toContain('t.project_id = $1 AND t.project_id = s.project_id');
  });
});

it('a statement about all projects with records has no recursive query in a distributed database', () => {
  const text = `SELECT FROM changes t WHERE t.project_id IN (${RECORDED_PROJECTS}) AND t.id = $1`;
  expect(distributedText(text, [1])).toBe(
    'SELECT FROM changes t WHERE t.project_id IN (SELECT DISTINCT project_id FROM changes) AND t.id = $1',
  );
});

describe('unchanged is a statement', () => {
  const join = 'SELECT FROM cells c JOIN regions r ON r.project_id = c.project_id';
  it.each([
    ['about all projects', join, []],
    ['with an array of projects', `${join} WHERE c.project_id = ANY($1::uuid[])`, [[project]]],
    ['about two projects', `${join} WHERE c.project_id = $1 OR r.project_id = $2`, [project, 'another']],
    ['about no project', `${join} WHERE c.project_id = $1`, [null]],
  ])('%s', (_, text, values) => {
    expect(routeToProject(text, values)).toBe(text);
  });
});
