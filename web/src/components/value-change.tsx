import clsx from 'clsx';
import type { ReactNode } from 'react';
import { counted } from './counted';
import { useIsPreview } from './preview-context';
import classes from './value-change.module.css';
import { type Difference, differenceOf, typeChange } from './value-difference';
import { ValueLink } from './value-link';
import { VariableValue } from './variable-value';

interface Sides {
  readonly before?: unknown;
  readonly after?: unknown;
}

type SideName = keyof Sides;

/** Whether both sides can be read: a side is absent where the key is not set. */
const isChange = (value: unknown): value is Sides => typeof value === 'object' && value !== null;

interface Props {
  readonly change: unknown;
  /** How a side is shown; by default as JSON text, of which only what differs is marked. */
  readonly render?: ((value: unknown) => ReactNode) | undefined;
  /** The variable that changes: its values lead to the devices that resolve them. In a preview, none resolves the new one yet. */
  readonly name?: string | undefined;
}

const asJson = (value: unknown): ReactNode => <VariableValue value={value} />;

/** A value before and after a change, as the API's `{"before": …, "after": …}`. */
export function ValueChange({ change, render, name }: Props) {
  const sides: Sides = isChange(change) ? change : {};
  const isPreview = useIsPreview();
  const nameOn = (side: SideName) => (side === 'after' && isPreview ? undefined : name);
  const whole = (value: unknown, side: SideName) => <VariableValue value={value} name={nameOn(side)} />;
  if (render || !('before' in sides) || !('after' in sides))
    return <WholeChange sides={sides} render={render ?? whole} />;
  const { before, after } = sides;
  const difference = differenceOf(before, after);
  switch (difference.kind) {
    case 'text': {
      const { start, end } = difference;
      const marked = (value: unknown, side: SideName) => (
        <ValueLink name={nameOn(side)} value={value}>
          <MarkedText text={String(value)} start={start} end={end} />
        </ValueLink>
      );
      return <WholeChange sides={sides} render={marked} />;
    }
    case 'parts':
      return <Parts parts={difference.parts} same={difference.same} nameOn={nameOn} />;
    case 'order':
      return (
        <>
          <WholeChange sides={sides} render={whole} />
          <span className={classes.unset}>the same elements in another order</span>
        </>
      );
    case 'whole':
      return <WholeChange sides={sides} render={whole} />;
  }
}

interface WholeProps {
  readonly sides: Sides;
  readonly render: (value: unknown, side: SideName) => ReactNode;
}

const WholeChange = ({ sides, render }: WholeProps) => (
  <div className={classes.change}>
    <Side label="before" isSet={'before' in sides} className={classes.before}>
      {render(sides.before, 'before')}
    </Side>
    <span className={classes.to}>
      <span aria-hidden>→</span>
      <Side label="after" isSet={'after' in sides} className={classes.after}>
        {render(sides.after, 'after')}
      </Side>
    </span>
    {'before' in sides && 'after' in sides && <TypeChange {...sides} />}
  </div>
);

/** Values look alike whose types differ: 4 and "4". */
function TypeChange({ before, after }: Sides) {
  const text = typeChange(before, after);
  return text !== undefined && <span className={classes.type}>{text}</span>;
}

interface SideProps {
  readonly label: SideName;
  readonly isSet: boolean;
  readonly children: ReactNode;
  readonly className: string | undefined;
}

function Side({ label, isSet, children, className }: SideProps) {
  if (!isSet) return <span className={classes.unset}>not set</span>;
  return (
    <div className={clsx(classes.side, className)} role="group" aria-label={label}>
      {children}
    </div>
  );
}

interface MarkedProps {
  readonly text: string;
  /** How many characters at the start and the end are the same on both sides. */
  readonly start: number;
  readonly end: number;
}

/** A text as JSON, of which only the part that differs is strong. */
function MarkedText({ text, start, end }: MarkedProps) {
  const characters = Array.from(text);
  const json = (from: number, to?: number) =>
    JSON.stringify(characters.slice(from, to).join('')).slice(1, -1);
  return (
    <code className={classes.text}>
      &quot;{json(0, start)}
      <mark className={classes.mark}>{json(start, characters.length - end)}</mark>
      {json(characters.length - end)}&quot;
    </code>
  );
}

interface PartsProps {
  readonly parts: readonly Difference[];
  readonly same: number;
  /** The variable, where devices resolve the values of a side. */
  readonly nameOn: (side: SideName) => string | undefined;
}

/** Only the parts of a document or list that differ, and how many do not. */
const Parts = ({ parts, same, nameOn }: PartsProps) => (
  <ul className={classes.parts}>
    {parts.map((part, i) => (
      <li key={i}>
        {part.path !== '' && <code className={classes.path}>{part.path}</code>}
        {part.isElement ? (
          <Element part={part} />
        ) : (
          <WholeChange
            sides={part}
            render={(value, side) => <VariableValue value={value} name={nameOn(side)} path={part.path} />}
          />
        )}
      </li>
    ))}
    <li className={classes.unset}>{counted(same, 'other part', 'other parts')} unchanged</li>
  </ul>
);

/** An element that was added to a list, or removed from it. */
function Element({ part }: { readonly part: Difference }) {
  const isAdded = 'after' in part;
  return (
    <div
      className={clsx(classes.side, isAdded ? classes.after : classes.before)}
      role="group"
      aria-label={isAdded ? 'added' : 'removed'}
    >
      <span aria-hidden>{isAdded ? '+ ' : '− '}</span>
      {asJson(isAdded ? part.after : part.before)}
    </div>
  );
}
