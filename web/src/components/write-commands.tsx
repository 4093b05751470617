import { Tabs } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { shellWord } from '@muster/api-types';
import { projectHeaders } from '../api/client';
import type { PlainRequest } from '../api/request';
import { sessionQuery } from '../api/session';
import { pipedCommand } from '../api/piped-command';
import { curlCommand } from '../api/shell-commands';
import { useProjectId } from '../app/use-project';
import { CommandText } from './command-text';

interface Props {
  /** The words of the `muster` command, if there is one. */
  readonly command: readonly string[] | undefined;
  /** Words that follow those of the command: `--reason …`. */
  readonly options: readonly string[];
  readonly request: PlainRequest;
}

/** The `muster` and `curl` commands that make the same request. */
export function WriteCommands({ command, options, request }: Props) {
  const project = useProjectId();
  const { projects } = useSuspenseQuery(sessionQuery).data;
  // Without it, both commands work in the project of the key or of the profile.
  const named = projects.length > 1 ? project : undefined;
  const projectOption = named === undefined ? [] : ['--project', named];
  const piped = command ? undefined : pipedCommand(request);
  const words = command ?? piped?.words;
  const line = words && [...words, ...projectOption, ...options].map(shellWord).join(' ');
  const muster = line !== undefined && piped ? `printf '%s\\n' ${shellWord(piped.input)} | ${line}` : line;
  const headers = { ...(named === undefined ? {} : projectHeaders(named)), ...request.headers };
  return (
    <Tabs defaultValue={muster === undefined ? 'curl' : 'muster'} variant="outline">
      <Tabs.List aria-label="The same as a command">
        {muster !== undefined && <Tabs.Tab value="muster">muster</Tabs.Tab>}
        <Tabs.Tab value="curl">curl</Tabs.Tab>
      </Tabs.List>
      {muster !== undefined && (
        <Tabs.Panel value="muster">
          <CommandText text={muster} />
        </Tabs.Panel>
      )}
      <Tabs.Panel value="curl">
        <CommandText text={curlCommand({ ...request, headers })} />
      </Tabs.Panel>
    </Tabs>
  );
}
