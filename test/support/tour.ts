import { spawn } from 'node:child_process';
import { codeBlocks, normal } from './markdown';
import { Program } from './program';
import { PROJECT } from './service';

/** A block of commands of a page, and the output that the page shows below it, if any. */
export interface Step {
  readonly commands: string;
  readonly claimed?: string;
}

/** The steps of a part of a page: its `bash` blocks, each with the `text` block that follows it. */
export function stepsOf(part: string): Step[] {
  const blocks = codeBlocks(part);
  return blocks.flatMap(({ language, text }, i) => {
    const next = blocks[i + 1];
    if (language !== 'bash') return [];
    return [next?.language === 'text' ? { commands: text, claimed: next.text } : { commands: text }];
  });
}

/**
 * Runs steps in one shell, in the project's folder, because later steps use the variables and functions of earlier ones.
 * @returns the output of each step, errors included
 */
export async function runSteps(
  steps: readonly Step[],
  environment: Readonly<Record<string, string>>,
): Promise<string[]> {
  const script = steps.map(({ commands }) => `{\n${commands}} 2>&1\n`).join("echo '~~~'\n");
  const shell = new Program(
    spawn('bash', ['-c', script], { cwd: PROJECT, env: { PATH: process.env.PATH, ...environment } }),
  );
  expect(await shell.ended).toBe(0);
  expect(shell.errorLines).toEqual([]);
  return shell.lines
    .filter((line) => !line.startsWith('npm warn'))
    .join('\n')
    .split('~~~');
}

/** Expects the output that a page shows. The page may end it with a line `…`. */
export function expectShown(actual: string | undefined, claimed: string): void {
  const [beginning = '', ...rest] = claimed.split('\n…\n');
  const got = normal(actual ?? 'nothing');
  const shown = normal(beginning);
  expect(rest.length === 0 ? got : got.slice(0, shown.length)).toBe(shown);
}
