import { hostCases } from './cases/hosts';
import type { Case } from './run/case';
import { openServer } from './run/database';
import { measure } from './run/measure';
import { readOptions, USAGE, type Options } from './run/options';
import { Stage } from './run/stage';
import { ensureFleet } from './stand-in';

async function run(options: Options): Promise<void> {
  const server = await openServer();
  const stage = new Stage(server, options.profile);
  try {
    const fleet = await ensureFleet(server, options.size);
    const cases: Case[] = hostCases(fleet).filter(
      ({ name }) => options.filters.length === 0 || options.filters.some((word) => name.includes(word)),
    );
    for (const one of cases) {
      const sides = await one.prepare(stage);
      const { figures, ratio } = await measure<string>({ ...sides }, options, {
        connections: one.connections,
        postmaster: server.postmaster,
      });
      console.log(one.name, figures, ratio('service', 'floor'));
    }
  } finally {
    await stage.clear();
    await server.close();
  }
}

const options = readOptions(process.argv.slice(2));
if (options === 'help') console.log(USAGE);
else
  run(options).catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  });
