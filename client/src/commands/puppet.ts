import { Command } from 'commander';
import { openSession } from './session';
import { printAnswer } from './long-requests';

interface PuppetOptions {
  readonly classesVariable?: string;
  readonly environmentVariable?: string;
}

/** `muster puppet` */
export function puppetCommand(): Command {
  return new Command('puppet')
    .argument('<host>', 'the name of the host: that of the node')
    .option('--classes-variable <key>', 'the variable with the classes; usually puppet_classes')
    .option('--environment-variable <key>', 'the variable with the environment; usually puppet_environment')
    .action(async (host: string, options: PuppetOptions, command: Command) => {
      const { muster } = openSession(command);
      const query = {
        host,
        classes_variable: options.classesVariable,
        environment_variable: options.environmentVariable,
      };
      await printAnswer(await muster.open('get', '/v1/puppet-enc', { query }));
    });
}
