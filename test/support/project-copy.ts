import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { codeBlocks, section } from './markdown';
import { Program } from './program';
import { PROJECT } from './service';

/** The files that a build needs, besides the installed packages. */
const SOURCES = [
  'src',
  'client/src',
  'client/package.json',
  'client/tsconfig.json',
  'packages',
  'scripts',
  'ormconfig.ts',
  'package.json',
  'package-lock.json',
  '.oxfmtrc.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'web/index.html',
  'web/package.json',
  'web/src',
  'web/tsconfig.json',
  'web/vite.config.ts',
];

/** TypeScript 7 is written in Go, and collects garbage for a quarter of its time with the default. */
const GOGC = '400';

/** A code block of a recipe, and the file that it is or changes. */
interface Step {
  readonly file: string;
  readonly language: string;
  readonly text: string;
}

/** The code blocks of a section of CONTRIBUTING.md. A block belongs to the last file named before it. */
export function recipeSteps(heading: string): Step[] {
  const page = readFileSync(join(PROJECT, 'CONTRIBUTING.md'), 'utf8');
  let file = '';
  return codeBlocks(section(page, heading)).map(({ language, text, leads }) => {
    file = [...leads.matchAll(/`(src\/[^`]+)`/g)].at(-1)?.[1] ?? file;
    return { file, language, text };
  });
}

/** A copy of the project with its build, in which recipes of CONTRIBUTING.md are followed. */
export class ProjectCopy {
  constructor(readonly folder: string) {
    for (const name of SOURCES.filter((source) => existsSync(join(PROJECT, source))))
      cpSync(join(PROJECT, name), join(folder, name), { recursive: true });
    this.linkPackages();
    this.copyBuild();
  }

  /** Applies steps of CONTRIBUTING.md. */
  async follow(steps: readonly Step[]): Promise<void> {
    for (const { file, language, text } of steps) {
      const path = join(this.folder, file);
      if (language === 'bash') await this.run('sh', ['-c', `set -e; ${text}`]);
      else if (language === 'diff') writeFileSync(path, changed(readFileSync(path, 'utf8'), text));
      else {
        mkdirSync(dirname(path), { recursive: true });
        // "wx": a new file must not exist yet.
        writeFileSync(path, text, { flag: 'wx' });
      }
    }
  }

  /** Runs a program in the copy. @throws Error with its output if it fails */
  async run(command: string, args: readonly string[], environment = {}): Promise<string> {
    const program = new Program(
      spawn(command, args, { cwd: this.folder, env: { PATH: process.env.PATH, GOGC, ...environment } }),
    );
    const ending = await program.ended;
    if (ending !== 0) throw new Error([...program.lines, ...program.errorLines].join('\n'));
    return program.lines.join('\n');
  }

  /** The text of a file. */
  read(name: string): string {
    return readFileSync(join(this.folder, name), 'utf8');
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }

  /** Links each package separately: `npm ci`, which the steps run if packages are outdated, empties node_modules. */
  private linkPackages(): void {
    for (const packages of ['node_modules', 'web/node_modules']) {
      const [from, to] = [PROJECT, this.folder].map((project) => join(project, packages)) as [string, string];
      mkdirSync(to, { recursive: true });
      for (const name of readdirSync(from).filter((one) => one !== '@muster'))
        symlinkSync(join(from, name), join(to, name));
    }
    // Relative links to the workspaces: those of the copy.
    const workspaces = 'node_modules/@muster';
    cpSync(join(PROJECT, workspaces), join(this.folder, workspaces), {
      recursive: true,
      verbatimSymlinks: true,
    });
  }

  /** Copies the project's build without what compilers know of it: paths of packages differ here. */
  private copyBuild(): void {
    for (const build of ['dist', 'client/dist'])
      cpSync(join(PROJECT, build), join(this.folder, build), {
        recursive: true,
        filter: (file) => !file.endsWith('.tsbuildinfo'),
      });
  }
}

/** Applies a diff. Its context must match exactly once. */
function changed(content: string, diff: string): string {
  const lines = diff.trimEnd().split('\n');
  const side = (without: string) =>
    lines.filter((line) => !line.startsWith(without)).map((line) => `${line.slice(1)}\n`);
  const before = side('+').join('');
  if (content.split(before).length !== 2)
    throw new Error(`the page changes lines that are not there: ${before}`);
  return content.replace(before, () => side('-').join(''));
}
