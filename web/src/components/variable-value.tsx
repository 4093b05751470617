import clsx from 'clsx';
import { useDisclosure } from '@mantine/hooks';
import { isScalar, jsonText } from '../api/exact-json';
import { beginningOf } from './beginning-of';
import { counted } from './counted';
import { ValueLink, whereOf } from './value-link';
import classes from './variable-value.module.css';

/** Values up to this length are shown whole. */
const MAX_INLINE_LENGTH = 60;

interface Props {
  readonly value: unknown;
  /** Whether a narrower level overrides the value. */
  readonly isOverridden?: boolean;
  /** One line that cannot be unfolded, for table cells. */
  readonly isBrief?: boolean;
  /** The variable: the value leads to the devices that resolve it, a folded one when it is open. Without it, there is no link. */
  readonly name?: string | undefined;
  /** The part of the variable that the value is. */
  readonly path?: string;
}

/** The value of a variable as JSON text with all digits. A long document is folded. */
export function VariableValue({ value, isOverridden = false, isBrief = false, name, path }: Props) {
  const [isOpen, { toggle }] = useDisclosure(false);
  const text = jsonText(value);
  const className = clsx(classes.value, isOverridden && classes.overridden);
  if (isBrief)
    return (
      <span
        className={clsx(className, classes.line)}
        title={text.length > 20 ? beginningOf(text, 1_000) : undefined}
      >
        <ValueLink name={name} value={value} path={path}>
          {beginningOf(text, 200)}
        </ValueLink>
      </span>
    );
  if (text.length <= MAX_INLINE_LENGTH && !isMultiLine(value))
    return (
      <ValueLink name={name} value={value} path={path}>
        {isOverridden ? <s className={className}>{text}</s> : <code className={className}>{text}</code>}
      </ValueLink>
    );
  return (
    <div className={className}>
      <button type="button" className={classes.toggle} aria-expanded={isOpen} onClick={toggle}>
        <span className={classes.line}>
          {isOpen ? '▾' : '▸'} {summaryOf(value, text)}
        </span>
      </button>
      {isOpen && (
        <>
          <pre className={classes.block} tabIndex={0}>
            {typeof value === 'string' ? value : jsonText(value, 2)}
          </pre>
          {whereOf(name, value, path) && (
            <ValueLink name={name} value={value} path={path}>
              Devices with this value
            </ValueLink>
          )}
        </>
      )}
    </div>
  );
}

/** A text of several lines is shown as lines, not as JSON. */
const isMultiLine = (value: unknown): value is string =>
  typeof value === 'string' && value.trimEnd().includes('\n');

/** The beginning of a value, and how much there is of it. */
function summaryOf(value: unknown, text: string): string {
  if (isMultiLine(value)) {
    const lines = value.trimEnd().split('\n');
    return `${beginningOf(lines[0] ?? '', MAX_INLINE_LENGTH - 12)}… (${counted(lines.length, 'line')})`;
  }
  const start = `${beginningOf(text, MAX_INLINE_LENGTH - 12)}…`;
  if (isScalar(value) || typeof value !== 'object' || value === null)
    return `${start} (${text.length} characters)`;
  return `${start} (${counted(Object.keys(value).length, Array.isArray(value) ? 'element' : 'member')})`;
}
