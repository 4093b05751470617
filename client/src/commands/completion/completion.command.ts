import { Argument, Command } from 'commander';
import { print } from '../../output/streams';
import { scripts, SHELLS, type Shell } from './scripts';

/** `muster completion` */
export function completionCommand(): Command {
  return new Command('completion')
    .addArgument(new Argument('<shell>', 'whose').choices(SHELLS))
    .addHelpText('after', HELP)
    .action(async (shell: Shell) => {
      await print(scripts[shell]);
    });
}

const HELP = `
For bash, in ~/.bashrc:             source <(muster completion bash)
For zsh, in ~/.zshrc, after compinit: source <(muster completion zsh)
For fish, once:                     muster completion fish > ~/.config/fish/completions/muster.fish`;
