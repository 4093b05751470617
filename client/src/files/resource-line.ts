/** A line of an import, and the resource in it for messages. */
export interface ResourceLine {
  readonly resource: string;
  readonly body: object;
}
