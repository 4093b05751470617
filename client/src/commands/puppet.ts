import { Command } from 'commander';
import { printResponse } from './long-requests';
import { openSession } from './session';

interface PuppetOptions {
  readonly classesVariable?: string;
  readonly environmentVariable?: string;
}

/** `muster puppet` */
export function puppetCommand(): Command {
  return new Command('puppet')
    .argument('<host>', 'the name of the host, which is the name of the node')
    .option('--classes-variable <key>', 'the variable with the classes (default: puppet_classes)')
    .option('--environment-variable <key>', 'the variable with the environment (default: puppet_environment)')
    .action(async (host: string, options: PuppetOptions, command: Command) => {
      const { muster } = openSession(command);
      const query = {
        host,
        classes_variable: options.classesVariable,
        environment_variable: options.environmentVariable,
      };
      await printResponse(await muster.open('get', '/v1/puppet-enc', { query }));
    });
}
