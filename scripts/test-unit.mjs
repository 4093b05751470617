// `npm run test:unit`: installs packages and runs the unit tests, which need no build and no database.
import { runJest } from './lib/jest.mjs';
import { prepare } from './lib/prepare.mjs';
import { orExplain } from './lib/project.mjs';

process.env.NODE_ENV = 'test';
await orExplain(() => prepare({ needs: 'nothing' }));
process.exitCode = await runJest([...process.argv.slice(2), '--selectProjects', 'unit']);
