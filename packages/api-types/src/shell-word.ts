/** A word of a shell command, quoted if it has to be. */
export const shellWord = (text: string): string =>
  /^[A-Za-z0-9_./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
