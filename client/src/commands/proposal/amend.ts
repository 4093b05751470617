import { Command, Option } from 'commander';
import { asObject } from '../../api/exact-json';
import { usageError } from '../../cli-error';
import { readOptional } from '../../api/optional-read';
import type { FileFormat } from '../../files/file-access';
import type { YamlVersion } from '../../files/yaml-scalars';
import { printStatus } from '../../output/console';
import { BATCH_FORMATS, readBatch } from '../batch';
import { openSession, type GlobalOptions } from '../session';
import { yamlOption } from '../shared-options';
import { conflictLines, conflictsOf } from './conflicts';
import { readProposalPreview } from './preview';
import { addProposalId, parseProposalId, printProposal, PROPOSAL, proposalName } from './proposal-output';

interface AmendOptions {
  readonly title?: string;
  readonly description?: string;
  readonly operations?: string;
  readonly format?: FileFormat;
  readonly yaml?: YamlVersion;
  readonly rebase?: true;
}

const HELP = `
New operations, and --rebase, make a new revision, which needs new approvals; earlier ones stay readable. --reason sets the reason
of the change that the proposal becomes.

Examples:
  muster proposal amend 7 --rebase
  muster proposal show 7 -o json | jq .operations > operations.json
  muster proposal amend 7 --operations operations.json`;

/** `muster proposal amend` */
export const amendCommand = (): Command =>
  addProposalId(new Command('amend'))
    .description('Changes a proposal of your own: its texts, or its operations in a new revision.')
    .option('--title <title>', 'the new title')
    .option('--description <text>', 'the new description; an empty text removes it')
    .option(
      '--operations <file>',
      'the new operations: a file as for "muster batch", or - for standard input',
    )
    .addOption(
      new Option('--format <format>', 'the format of the file, if its name does not say it').choices(
        BATCH_FORMATS,
      ),
    )
    .addOption(yamlOption())
    .option(
      '--rebase',
      'keep what it proposes although others have changed that since: it replaces the present values',
    )
    .addHelpText('after', HELP)
    .action(async (text: string, options: AmendOptions, command: Command) => {
      const id = parseProposalId(text);
      const { title, description, operations, rebase } = options;
      const { reason } = command.optsWithGlobals<GlobalOptions>();
      const body = {
        title,
        description: description === '' ? null : description,
        reason: reason === '' ? null : reason,
        ...(operations === undefined
          ? {}
          : { operations: (await readBatch(operations, options)).operations }),
        rebase,
      };
      if (Object.values(body).every((value) => value === undefined))
        throw usageError('Nothing to amend: see --help for the options.');
      const { muster, format } = openSession(command, { isNoteReason: true });
      // The preview has the conflicts of the former operations only.
      const namesReplaced = rebase === true && operations === undefined;
      const former = namesReplaced
        ? await readOptional(muster, (reader) => readProposalPreview(reader, id))
        : undefined;
      const conflicts = former ? conflictsOf(former.body) : [];
      const { body: amended } = await muster.request('put', PROPOSAL, { path: { id }, body });
      const proposal = asObject(amended);
      if (format !== 'table') await printProposal(format, proposal);
      printStatus(`Amended ${proposalName(proposal)}: revision ${String(proposal['revision'])}.`);
      if (conflicts.length > 0)
        printStatus('It replaces what others have written since:', ...conflictLines(conflicts));
      if (namesReplaced && former === undefined)
        printStatus(`What it replaces could not be read in time: muster proposal preview ${id}`);
    });
