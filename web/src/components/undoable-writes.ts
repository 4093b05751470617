/** A write that the user has done in this tab. */
export interface UndoableWrite {
  /** `Set ntp_servers on web-1`. */
  readonly title: string;
  /** The id of the request, by which its change is found. */
  readonly requestId: string;
  /** The id of the project of the resource, if it is not that of the page. */
  readonly project: string | undefined;
}

/** The last writes that can be undone, the newest one last. */
const writes: UndoableWrite[] = [];

const MAX_WRITES = 100;

export function rememberWrite(write: UndoableWrite): void {
  writes.push(write);
  if (writes.length > MAX_WRITES) writes.shift();
}

/** Called when a write was undone, or cannot be. */
export function forgetWrite({ requestId }: Pick<UndoableWrite, 'requestId'>): void {
  const index = writes.findIndex((write) => write.requestId === requestId);
  if (index >= 0) writes.splice(index, 1);
}

export const lastWrite = (): UndoableWrite | undefined => writes.at(-1);
