import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sharedService } from '../../support/service';
import type { Caller } from '../../support/caller';
import { awaitInstallation, describeWithPeers } from '../../support/external-programs';
import { ended, environmentOf, MUSTER, printed, temporaryFolder } from '../../support/shell';
import { Terminal } from '../../support/terminal';

jest.setTimeout(240_000);

/** A long timeout: these tests do not measure speed. */
const LONG_TIMEOUT = { MUSTER_COMPLETION_TIMEOUT: '20000' };
const BASH_COMPLETION = '/usr/share/bash-completion/bash_completion';
awaitInstallation([BASH_COMPLETION]);

// The tests run concurrently, each in its own shell, and only read the project and the folder. The longest start first.
const app = sharedService();
let admin: Caller;
let folder: string;

beforeAll(async () => {
  admin = await app.project();
  folder = temporaryFolder();
  mkdirSync(join(folder, 'bin'));
  const program = `#!/bin/sh\nexec "${process.execPath}" "${MUSTER}" "$@"\n`;
  writeFileSync(join(folder, 'bin', 'muster'), program, { mode: 0o755 });
  for (const shell of ['bash', 'zsh', 'fish'])
    writeFileSync(join(folder, `muster.${shell}`), await printed(admin, ['completion', shell]));
  writeFileSync(
    join(folder, '.zshrc'),
    `PS1='$ '\nautoload -Uz compinit && compinit -u -D\nsource ${join(folder, 'muster.zsh')}\ncd ${folder}\n`,
  );
  writeFileSync(join(folder, 'fleet.ndjson'), '');
  const north = await admin.region({ name: 'north' });
  await admin.region({ name: 'north sea' });
  await admin.region({ name: 'south' });
  await admin.host({ name: 'web-1', region_id: north.id });
  await admin.host({ name: 'web-2', region_id: north.id });
  await admin.host({ name: 'db:1', region_id: north.id });
  await admin.cloud({ name: HOSTILE });
});

/** A name that a shell would execute, and that would end a text in each of the quotes, if not escaped. */
const HOSTILE = `1od$(touch ran)\`touch ran\`'; touch ran; '"; touch ran; "b`;

/** Completes the name after each quote, and prints the words that the shell then parses. */
async function showHostile(terminal: Terminal): Promise<void> {
  for (const [i, quote] of ['', '"', "'"].entries()) {
    await terminal.press('C-l');
    await terminal.type(`muster cloud show -o name ${quote}${HOSTILE.slice(0, 2)}`);
    await terminal.press('Tab');
    // The completion inserts letters that were not typed.
    await terminal.waitFor(/^\$ muster cloud show -o name .{3}.*[hb]/ms);
    await terminal.press('C-a');
    // With a number, because the screen may still show what the last command has printed.
    await terminal.type(`printf '${String(i)} %s\\n' `);
    await terminal.press('Enter');
    await terminal.waitFor(new RegExp(`^${String(i)} ${HOSTILE.replace(/[^\w ]/g, '\\$&')}$`, 'm'));
  }
  expect(existsSync(join(folder, 'ran'))).toBe(false);
}

/** Runs a shell, which must print no errors. @returns the lines of its output */
async function lines(
  shell: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<string[]> {
  const settings: Record<string, string> = { ...environmentOf(admin), ...LONG_TIMEOUT };
  const child = spawn(shell, args, {
    cwd: folder,
    env: { ...settings, HOME: folder, PATH: `${join(folder, 'bin')}:${settings['PATH'] ?? ''}`, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end();
  const { stdout, stderr } = await ended(child);
  expect(stderr).toBe('');
  return stdout.split('\n').filter((line) => line !== '');
}

describeWithPeers('interactive completion in fish', ['fish', 'tmux'], () => {
  it.concurrent('escapes names, with and without quotes', async () => {
    const script = `cd ${folder}; source muster.fish; function fish_prompt; echo '$ '; end`;
    const terminal = await Terminal.open(admin, {
      columns: 100,
      env: { HOME: folder, ...LONG_TIMEOUT },
      shell: ['fish', '--no-config', '-C', script],
    });
    await terminal.waitForPrompt();
    await showHostile(terminal);
    await terminal.close();
  });
});

describeWithPeers('completion in zsh', ['zsh', 'tmux'], () => {
  it.concurrent('escapes names, with and without quotes', async () => {
    const terminal = await Terminal.open(admin, {
      columns: 100,
      env: { ZDOTDIR: folder, HOME: folder, ...LONG_TIMEOUT },
      shell: ['zsh', '-i'],
    });
    await terminal.waitForPrompt();
    await showHostile(terminal);
    await terminal.close();
  });

  it.concurrent('inserts commands, names, options and files', async () => {
    const terminal = await Terminal.open(admin, {
      columns: 100,
      env: { ZDOTDIR: folder, HOME: folder, ...LONG_TIMEOUT },
      shell: ['zsh', '-i'],
    });
    await terminal.waitForPrompt();
    for (const [typed, whole] of [
      ['muster reg', 'muster region '],
      ['show sou', 'muster region show south '],
    ] as const) {
      await terminal.type(typed);
      await terminal.press('Tab');
      await terminal.waitFor(whole.trimEnd());
    }
    await terminal.press('C-u');
    await terminal.type('muster host show d');
    await terminal.press('Tab');
    await terminal.waitFor(/muster host show db\\?:1/);
    await terminal.press('C-u');
    await terminal.type('muster host list --region=sou');
    await terminal.press('Tab');
    await terminal.waitFor('--region=south');
    await terminal.press('C-u');
    await terminal.type(`muster import ${folder}/fle`);
    await terminal.press('Tab');
    await terminal.waitFor(`muster import ${folder}/fleet.ndjson`);
    await terminal.close();
  });
});

describeWithPeers('interactive completion in bash', ['bash', 'tmux'], () => {
  it.concurrent('inserts commands and names', async () => {
    const terminal = await Terminal.open(admin, { columns: 100, env: LONG_TIMEOUT });
    await terminal.run(`source ${join(folder, 'muster.bash')}`);
    await terminal.press('C-l');
    await terminal.type('muster reg');
    await terminal.press('Tab');
    await terminal.waitFor('muster region');
    await terminal.type('show sou');
    await terminal.press('Tab');
    await terminal.waitFor('muster region show south');
    await terminal.close();
  });

  it.concurrent('escapes names, with and without quotes', async () => {
    const terminal = await Terminal.open(admin, { columns: 100, env: LONG_TIMEOUT });
    await terminal.run(`source ${join(folder, 'muster.bash')}; cd ${folder}`);
    await showHostile(terminal);
    await terminal.close();
  });
});

describeWithPeers('completion in bash', ['bash'], () => {
  /** The replies of the completion function. */
  function replies(
    line: string,
    { before = '', env = {} }: { before?: string; env?: Record<string, string> } = {},
  ) {
    const script = `${before}
source muster.bash
[[ $(complete -p muster) =~ -F\\ ([^ ]+) ]] && function=\${BASH_REMATCH[1]}
COMP_LINE=$1; COMP_POINT=\${#1}; read -ra COMP_WORDS <<< "$1"
[[ $1 == *' ' ]] && COMP_WORDS+=('')
COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
"$function" muster "\${COMP_WORDS[COMP_CWORD]}" ''
[ "$IFS" = $' \\t\\n' ] || echo "IFS has changed"
printf '%s\\n' "\${COMPREPLY[@]}"`;
    return lines('bash', ['--norc', '--noprofile', '-c', script, 'bash', line], env);
  }

  // Each reply takes a process of Node. test/client/completion.spec.ts has what is completed.
  it.concurrent('completes commands, and choices after a blank', async () => {
    expect(await replies('muster ho')).toEqual(['host']);
    expect(await replies('muster host list --sort-dir ')).toEqual(['asc', 'desc']);
  });

  it.concurrent('completes names from the server', async () => {
    expect(await replies('muster host show we')).toEqual(['web-1', 'web-2']);
    await completesAfterBreaks('');
  });
  (existsSync(BASH_COMPLETION) ? it.concurrent : it.skip)('completes names with bash-completion', () =>
    completesAfterBreaks(`source ${BASH_COMPLETION}`),
  );
  /** Readline replaces only the text after the last word break. */
  async function completesAfterBreaks(before: string): Promise<void> {
    expect(await replies('muster host list --region=no', { before })).toEqual(['north', 'north\\ sea']);
    expect(await replies('muster host show db:', { before })).toEqual(['1']);
  }

  it.concurrent('completes files', async () => {
    expect(await replies('muster import fl')).toEqual(['fleet.ndjson']);
  });

  it.concurrent('prints nothing when the service is unreachable, and does not change the shell', async () => {
    expect(await replies('muster host show we', { env: { MUSTER_URL: 'http://127.0.0.1:1' } })).toEqual([]);
    expect(await replies('muster host show we', { before: 'muster() { return 127; }' })).toEqual([]);
  });

  it.concurrent('does not execute the typed line', async () => {
    await replies('muster host show "$(touch ran)" `touch ran` ; touch ran; we');
    await replies("muster host show 'x; touch ran' we");
    expect(await lines('bash', ['-c', 'ls ran 2>/dev/null'])).toEqual([]);
  });
});

describeWithPeers('completion in fish', ['fish'], () => {
  const values = async (line: string, env: Record<string, string> = {}) =>
    (await lines('fish', ['--no-config', '-c', 'source muster.fish; complete -C "$argv[1]"', line], env)).map(
      (found) => found.split('\t')[0],
    );

  it.concurrent('completes commands, options, choices, names and files', async () => {
    expect(await values('muster ho')).toContain('host');
    expect(await values('muster host list --sort-dir ')).toEqual(['asc', 'desc']);
    expect(await values('muster host show we')).toEqual(['web-1', 'web-2']);
    expect(await values('muster host list --region=sou')).toEqual(['--region=south']);
    expect(await values('muster import fl')).toEqual(['fleet.ndjson']);
  });

  it.concurrent('does not execute the typed line, and prints nothing when the service is unreachable', async () => {
    await values("muster host show 'a; touch ran; true' ");
    expect(await lines('bash', ['-c', 'ls ran 2>/dev/null'])).toEqual([]);
    expect(await values('muster host show we', { MUSTER_URL: 'http://127.0.0.1:1' })).toEqual([]);
  });
});
