import classes from './middle-ellipsis.module.css';

/** In characters: what tells most names of a family apart. */
const TAIL = 8;
/** Shorter beginnings are not told apart from the end. */
const MIN_HEAD = 2;

interface Props {
  readonly text: string;
  /** How many characters at the end are always shown. */
  readonly tail?: number;
}

const segmenter = new Intl.Segmenter();

/** A name in one line, whose middle is left out if it does not fit: names of devices differ at their end. */
export function MiddleEllipsis({ text, tail: length = TAIL }: Props) {
  const characters = Array.from(segmenter.segment(text), ({ segment }) => segment);
  const tail = characters.length > length + MIN_HEAD ? length : 0;
  return (
    <span className={classes.text} dir="auto">
      <span className={classes.head}>{characters.slice(0, characters.length - tail).join('')}</span>
      {tail > 0 && <span className={classes.tail}>{characters.slice(-tail).join('')}</span>}
    </span>
  );
}
