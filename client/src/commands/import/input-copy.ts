import {
  closeSync,
  createReadStream,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
  type ReadStream,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { unwritable } from '../../files/file-access';

/** A temporary file with a copy of a stream. It has no name, so nothing is left of it when the process ends. */
export class InputCopy {
  private constructor(private readonly descriptor: number) {}

  /** Copies what others read from the stream. A copy that cannot be written destroys the stream with a Failure. */
  static of(stream: Readable): InputCopy {
    const folder = tmpdir();
    let own: string | undefined;
    try {
      own = mkdtempSync(join(folder, 'muster-input-'));
      const descriptor = openSync(join(own, 'copy'), 'wx+', 0o600);
      stream.on('data', (chunk: Buffer) => {
        try {
          writeFileSync(descriptor, chunk);
        } catch (error) {
          stream.destroy(unwritable(folder, error));
        }
      });
      return new InputCopy(descriptor);
    } catch (error) {
      throw unwritable(folder, error);
    } finally {
      if (own !== undefined) rmSync(own, { recursive: true, force: true });
    }
  }

  /** Reads the copy from its beginning, once: the end of the stream closes the copy. */
  read(): ReadStream {
    return createReadStream('', { fd: this.descriptor, start: 0 });
  }

  /** Closes a copy that was not read. */
  close(): void {
    closeSync(this.descriptor);
  }
}
