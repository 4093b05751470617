import type { Progress } from '../../../output/progress';

/** The progress of reading a NetBox. A slow NetBox can take minutes for a page, so it shows what is waited for. */
export class ReadingProgress {
  private bytes = 0;
  private objects = 0;

  constructor(private readonly progress: Progress) {}

  /** The version, or a page of a list, is requested. */
  request(path: string): void {
    this.progress.wait(`waiting for NetBox to answer ${path}`);
  }

  /** A page was read. */
  add({ text }: { readonly text: string }, objects: number): void {
    this.bytes += text.length;
    this.objects += objects;
    this.progress.update(this.bytes, this.objects);
  }
}
