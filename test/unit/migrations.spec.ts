import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { migrations } from '../../src/migrations';

describe('the list of migrations', () => {
  it('has each file of the folder, oldest first', () => {
    const files = readdirSync(join(__dirname, '../../src/migrations')).filter((name) => /^\d/.test(name));
    const times = files.map((name) => /^\d+/.exec(name)?.[0]);
    expect(migrations.map(({ name }) => /\d+$/.exec(name)?.[0])).toEqual(times.toSorted());
  });
});
