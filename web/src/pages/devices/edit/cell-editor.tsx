import { Checkbox, NativeSelect, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { isTyped, typedOver, type TypedText } from '../../../components/pending-editor';
import { readRows } from '../../../components/list-rows';
import type { ListRow } from '../../../components/member-columns';
import type { GridCell } from '../../../components/grid-cursor';
import { memberTitle } from '../../../components/member-title';
import { RightsHint } from '../../../components/rights';
import { useExpectsText } from '../../../components/expects-text';
import { variableOf } from '../../../components/variable-column';
import { useProjectId } from '../../../app/use-project';
import { usePositionBelow, useOutside } from './position-below';
import { cellKey } from './cell-edit';
import { winnerOver, type LevelOption } from './cell-levels';
import classes from './cell-editor.module.css';
import { defaultFormat, isAmbiguous, type TypedFormat } from './cell-text';
import { levelsOfCell, memberOf, resolvedPart, textOf, type CellContext } from './cell-value';
import { readOnlyReason, writeCell, type WrittenCell } from './write-cell';

interface Props {
  readonly context: CellContext;
  readonly cell: GridCell<ListRow>;
  /** What was typed on the cell. */
  readonly typed: TypedText;
  /** Why the service has rejected the value that is edited. */
  readonly fault: string | undefined;
  /** Called with what was written, and how many rows and columns the cursor goes on; undefined: the focus is elsewhere already. */
  readonly onWrite: (written: WrittenCell, move: readonly [number, number] | undefined) => void;
  /** @param isLeft whether the focus is elsewhere already */
  readonly onCancel: (isLeft?: boolean) => void;
  /** Previews all edits, with what was written just now. */
  readonly onPreview: () => void;
}

/** The editor of one cell, beside it. Enter and Tab write it, Escape does not. Ctrl-Enter also previews it. */
export function CellEditor({ context, cell, typed, fault, onWrite, onCancel, onPreview }: Props) {
  const { row, column, element } = cell;
  const path = variableOf(column);
  const title = path?.text ?? memberTitle(column);
  const reason = readOnlyReason(context, row, column);
  const frame = useRef<HTMLDivElement>(null);
  usePositionBelow(frame, element);
  const label = `${title} of ${row.name ?? ''}`;
  return (
    <div ref={frame} className={classes.editor} role="dialog" aria-label={label}>
      {reason === undefined ? (
        <Fields {...{ frame, context, cell, typed, fault, title: label, onWrite, onCancel, onPreview }} />
      ) : (
        <ReadOnlyReason {...{ frame, reason, onCancel }} />
      )}
    </div>
  );
}

type Frame = RefObject<HTMLDivElement | null>;

interface ReasonProps extends Pick<Props, 'onCancel'> {
  readonly frame: Frame;
  readonly reason: string;
}

/** Why a cell cannot be edited. Any key closes it. */
function ReadOnlyReason({ frame, reason, onCancel }: ReasonProps) {
  useOutside(frame, () => {
    onCancel(true);
  });
  return (
    <Text
      ref={focusOn}
      size="sm"
      role="alert"
      tabIndex={-1}
      onKeyDown={(event) => {
        event.preventDefault();
        onCancel();
      }}
    >
      {reason}
    </Text>
  );
}

function focusOn(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true });
}

interface FieldsProps extends Props {
  readonly frame: Frame;
  readonly title: string;
}

function Fields({ frame, context, cell, typed, fault, title, onWrite, onCancel, onPreview }: FieldsProps) {
  const { row, column } = cell;
  const path = variableOf(column);
  const former = context.edits.get(cellKey(row.id, column))?.change;
  const [initial] = useState(() => typedOver(textOf(context, row, column), typed));
  const [text, setText] = useState(initial);
  const [format, setFormat] = useState<TypedFormat>();
  const options = levelsOfCell(context, row, column);
  const [start] = useState(() =>
    former?.type === 'variable'
      ? Math.max(
          0,
          options.findIndex(({ kind, name }) => kind === former.owner.kind && name === former.owner.name),
        )
      : 0,
  );
  const [chosen, setChosen] = useState(start);
  const [isChecked, setChecked] = useState(false);
  const level = options[chosen];
  const label = useLabelId(level);
  const id = level?.id ?? label.id;
  // The device, unless another level was chosen: what the device has already is no edit then.
  const target = level && id !== undefined && chosen > 0 ? { ...level, id } : undefined;
  const written: WrittenCell =
    chosen > 0 && !target
      ? { problem: label.problem }
      : writeCell(context, row, column, text, { level: target, format });
  // What was neither changed nor chosen stays as it is.
  const isUntouched = text === initial && !isTyped(typed) && chosen === start && format === undefined;
  const isText = (format ?? defaultFormat(resolvedPart(row, column))) === 'text';
  const textReason = useExpectsText(path?.text ?? '', isAmbiguous(text) && !isText);
  const write = (rows: number, columns: number): boolean => {
    setChecked(true);
    if ('problem' in written) return false;
    if (isUntouched) {
      onCancel();
      if (rows + columns > 0) cell.moveOn(rows, columns);
    } else onWrite(written, [rows, columns]);
    return true;
  };
  useOutside(frame, () => {
    if (isUntouched) onCancel(true);
    else onWrite(written, undefined);
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onCancel();
    else if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
      if (write(1, 0) && (event.ctrlKey || event.metaKey)) onPreview();
    } else if (event.key === 'Tab' && !event.shiftKey && event.target === field.current) write(0, 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const field = useRef<HTMLTextAreaElement & HTMLInputElement>(null);
  useLayoutEffect(() => {
    field.current?.focus({ preventScroll: true });
    field.current?.setSelectionRange(initial.length, initial.length);
  }, [initial]);
  return (
    <Stack gap="xs" onKeyDown={onKeyDown}>
      {path && (
        <NativeSelect
          size="xs"
          label="Set on"
          value={String(chosen)}
          data={options.map(({ level: one, name }, i) => ({ value: String(i), label: `${one} ${name}` }))}
          onChange={(event) => {
            setChosen(Number(event.currentTarget.value));
          }}
        />
      )}
      <ValueField
        field={field}
        label={title}
        text={text}
        onChange={setText}
        error={isChecked && 'problem' in written ? written.problem : isUntouched ? fault : undefined}
        suggestions={path ? undefined : suggestionsOf(context, row, column)}
      />
      {path && isAmbiguous(text) && (
        <Checkbox
          label="As a text"
          description={textReason === undefined ? undefined : `${textReason}.`}
          checked={isText}
          onChange={(event) => {
            setFormat(event.currentTarget.checked ? 'text' : 'typed');
          }}
        />
      )}
      <Text size="xs" role="status">
        {noteOf(written, text, path !== undefined)}
        {level && chosen > 0 && ` ${shadowText(level, row, path?.key ?? '')}`}
      </Text>
      <RightsHint
        collection={level?.collection ?? context.kind.collection}
        {...(path ? { keys: [path.key] } : {})}
      />
      <div className={classes.keys}>
        Enter ↓ · Tab → · Esc cancels{path ? ' · Shift Tab: where it is set' : ''}
      </div>
    </Stack>
  );
}

function noteOf(written: WrittenCell, text: string, isVariable: boolean): string {
  if ('problem' in written) return '';
  if (text.trim() === '' && isVariable)
    return written.edit
      ? 'Unset: the value of a broader level holds.'
      : (written.note ?? 'It is not set there.');
  return 'note' in written ? (written.note ?? '') : '';
}

function shadowText(level: LevelOption, row: ListRow, key: string): string {
  const winner = winnerOver(level, row, key);
  return winner ? `${row.name ?? ''} keeps the value of the ${winner.kind} ${winner.name}.` : '';
}

/** The names that a reference can have. */
function suggestionsOf(
  { kind, locations, edits }: CellContext,
  row: ListRow,
  column: string,
): readonly string[] | undefined {
  const refersTo = memberOf(kind, column)?.refersTo;
  if (refersTo === 'region') return locations.regions.map(({ name }) => name);
  if (refersTo !== 'cell') return undefined;
  const moved = edits.get(cellKey(row.id, 'region_id'))?.change;
  const region = moved?.type === 'member' ? moved.value : row.region_id;
  return locations.cells.filter(({ region_id }) => region_id === region).map(({ name }) => name);
}

interface FieldProps {
  readonly field: RefObject<(HTMLTextAreaElement & HTMLInputElement) | null>;
  readonly label: string;
  readonly text: string;
  readonly error: string | undefined;
  readonly suggestions: readonly string[] | undefined;
  readonly onChange: (text: string) => void;
}

function ValueField({ field, label, text, error, suggestions, onChange }: FieldProps) {
  const list = useId();
  const shared = {
    ref: field,
    'aria-label': label,
    classNames: { input: classes.input },
    spellCheck: false,
    value: text,
    error,
    onChange: (event: { readonly currentTarget: { readonly value: string } }) => {
      onChange(event.currentTarget.value);
    },
  };
  if (!suggestions) return <Textarea {...shared} autosize minRows={1} maxRows={10} />;
  return (
    <>
      <TextInput {...shared} list={list} autoComplete="off" />
      <datalist id={list}>
        {suggestions.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}

/** The id of a label that does not set the variable yet; undefined, and why, until it is read. */
function useLabelId(level: LevelOption | undefined): {
  readonly id: number | undefined;
  readonly problem: string;
} {
  const project_id = useProjectId();
  const label = level?.level === 'label' && level.id === undefined ? level.name : undefined;
  const { data, error } = useQuery({
    queryKey: ['labels', project_id, 'id', label],
    queryFn: ({ signal }) => readRows('labels', { project_id, label, fields: 'id', limit: 1 }, signal),
    enabled: label !== undefined,
  });
  const unread = data ? `There is no label ${label ?? ''}.` : `The label ${label ?? ''} is still being read.`;
  return { id: data?.body[0]?.id, problem: error?.message ?? unread };
}
