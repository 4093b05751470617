import { print, printLines } from '../../output/streams';
import { bytesOf } from '../answer-bytes';

/**
 * Prints an answer as it comes, byte by byte what the service says; on a terminal there is nothing to obey in it.
 * @throws Unreachable where it is cut off
 */
export async function printAnswer(answer: Response): Promise<void> {
  if (!answer.body) return;
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  for await (const bytes of bytesOf(answer)) await printLines(decoder.decode(bytes, { stream: true }));
  await print(`${decoder.decode()}\n`);
}
