/** Compiles a pattern with `*` for any text and `?` for any character. */
export const globToRegExp = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .trim()
      .replaceAll(/[\\^$.+()[\]{}|]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
    's',
  );
