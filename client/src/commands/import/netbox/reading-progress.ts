/** Shows how much was read. */
export interface ObjectProgress {
  update(bytes: number, objects: number): void;
  /** @param activity what is waited for, until the next call */
  wait(activity: string): void;
}

/** The progress of reading a NetBox. A slow NetBox can take minutes for a page, so it shows what is waited for. */
export class ReadingProgress {
  private bytes = 0;
  private objects = 0;

  constructor(private readonly progress: ObjectProgress) {}

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
