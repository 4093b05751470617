import { createColors } from 'picocolors';

/** What a text is coloured with; leaves it as it is where there are no colours. */
export type Colours = ReturnType<typeof createColors>;

/** The colours of a stream: on a terminal that has them, unless the person or the environment says otherwise. */
export const coloursOf = (stream: { readonly isTTY?: boolean }): Colours => createColors(isColourful(stream));

/** `--no-color` goes first, then `NO_COLOR` (no-color.org), then `FORCE_COLOR`; an empty variable says nothing. */
function isColourful({ isTTY = false }: { readonly isTTY?: boolean }): boolean {
  const { NO_COLOR = '', FORCE_COLOR = '', TERM } = process.env;
  // Errors are coloured also where the command line could not be read.
  if (process.argv.includes('--no-color') || NO_COLOR !== '') return false;
  if (FORCE_COLOR !== '') return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false';
  return isTTY && TERM !== 'dumb';
}
