// Is preloaded into the built program, which then has two more migrations, as a later version would. See later-version.ts.
const { join } = require('node:path');

const bundle = require(join(__dirname, '../../dist/src/bundle.js'));

class Nicknames1900000000000 {
  name = 'Nicknames1900000000000';

  async up(runner) {
    await runner.query('ALTER TABLE users ADD COLUMN nickname text');
    await runner.query('ALTER TABLE users ADD CONSTRAINT users_by_nickname UNIQUE (project_id, nickname)');
  }

  async down(runner) {
    await runner.query('ALTER TABLE users DROP COLUMN nickname');
  }
}

class Severities1900000000001 {
  name = 'Severities1900000000001';

  async up(runner) {
    await runner.query('ALTER TABLE audits ADD COLUMN severity integer');
  }

  async down(runner) {
    await runner.query('ALTER TABLE audits DROP COLUMN severity');
  }
}

const { loadPrograms } = bundle;
bundle.loadPrograms = () => {
  const { programs, migrations: loadMigrations } = loadPrograms();
  // A program reads the list when it is loaded.
  const added = loadMigrations().then(({ migrations }) => {
    migrations.push(Nicknames1900000000000, Severities1900000000001);
  });
  const later = ([name, load]) => [name, () => added.then(load)];
  return { programs: Object.fromEntries(Object.entries(programs).map(later)) };
};
