import { ApiError } from '@muster/api-types';
import { asObject, exactJson } from '../../api/exact-json';
import { usageError } from '../../cli-error';
import type { ImportSource } from '../../files/source';
import type { Row } from '../../output/rows';
import { printProposed } from '../propose';
import type { Session } from '../session';
import { readRegionNames } from './missing-locations';
import { printRejected, rejectionOf } from './rejected-import';

/** How many lines the service accepts in the proposal of an import. */
const MAX_PROPOSED_LINES = 10_000;

/**
 * Proposes an import if the command line has `--propose`, and prints the proposal.
 * @returns whether it did: then the command must not write
 * @throws CliError for a source that cannot be read, or is too large, or has invalid lines; ApiError
 */
export async function proposeImport(session: Session, source: ImportSource): Promise<boolean> {
  const { proposalTitle: title } = session;
  if (title === undefined) return false;
  try {
    await printProposed(session, await sendProposed(session, source, title));
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    const positionOf = (line: number) => source.positions.positionOf(line);
    const rejection = await rejectionOf(error, source, positionOf, () => readRegionNames(session));
    await printRejected(session.format, rejection, false);
    throw rejection;
  }
  return true;
}

async function sendProposed({ muster }: Session, source: ImportSource, title: string): Promise<Row> {
  const response = await muster.open('post', '/v1/import', {
    query: { propose: title },
    headers: {
      'content-type': source.type,
      accept: 'application/json',
      ...(source.encoding === undefined ? {} : { 'content-encoding': source.encoding }),
    },
    stream: await readProposed(source),
  });
  return asObject(exactJson.parse(await response.text()));
}

async function readProposed(source: ImportSource): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let lines = 0;
  for await (const pieces of source.pieces())
    for (const piece of pieces) {
      chunks.push(piece.bytes);
      lines += piece.lines;
      // A compressed file is sent as it is: the service counts its lines.
      if (source.encoding === undefined && lines > MAX_PROPOSED_LINES + 1)
        throw usageError(`A proposal can have at most ${String(MAX_PROPOSED_LINES)} lines of an import.`);
    }
  return new Uint8Array(Buffer.concat(chunks));
}
