// Is preloaded into the built program, which then has two more migrations, as a later version would. See later-version.ts.
const { join } = require('node:path');

const dist = join(__dirname, '../../dist/src');
const { migrations } = require(join(dist, 'migrations/index.js'));
// Not from the bundle, which has modules of its own.
require(join(dist, 'bundle.js')).loadPrograms = () => require(join(dist, 'programs.js'));

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

migrations.push(Nicknames1900000000000, Severities1900000000001);
