const numbers = new WeakMap<Blob, number>();
let newest = 0;

/** A number that identifies a file, because all files are the same as JSON. It is 0 for other bodies of requests. */
export function fileNumber(body: string | Blob | undefined): number {
  if (!(body instanceof Blob)) return 0;
  const number = numbers.get(body) ?? ++newest;
  numbers.set(body, number);
  return number;
}
