import { Button } from '@mantine/core';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import { useId, useState, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';
import type { paths } from '@muster/api-types';
import { api, unwrap } from '../api/client';
import { useProjectId } from '../app/use-project';
import classes from './change-histogram.module.css';
import { counted } from './counted';
import { dateOf } from './date-of';
import { localTime } from './time-stamp';

type Query = NonNullable<paths['/v1/changes/counts']['get']['parameters']['query']>;

/** A range of time, without its end. The times are as in the API. */
export interface TimeRange {
  readonly since: string;
  readonly until: string;
}

interface Props {
  /** Which changes are counted. */
  readonly filters: Omit<Query, 'project_id' | 'intervals'>;
  /** How many intervals, each of which has a bar. */
  readonly intervals: number;
  /** Less high, for a small place. */
  readonly isSmall?: boolean;
  /** Called after a click on an interval, or Enter. */
  readonly onIntervalChosen: (interval: TimeRange) => void;
  /** Called with the range of several intervals, after a drag, or a selection with Shift, the arrows and Enter. */
  readonly onRangeSelected: (range: TimeRange) => void;
  /** Leads back to all times; undefined if all are shown. */
  readonly onClear: (() => void) | undefined;
}

/** The numbers of changes in the queries of all histograms of a project. */
export const changeCountsKey = (project_id: string) => ['changes', project_id, 'counts'] as const;

const changeCountsQuery = (project_id: string, filters: Props['filters'], intervals: number) =>
  queryOptions({
    queryKey: [...changeCountsKey(project_id), intervals, filters],
    queryFn: ({ signal }) =>
      unwrap(
        api.GET('/v1/changes/counts', {
          params: { query: { ...filters, project_id, intervals } },
          signal,
        }),
      ),
    // Counting reads the whole history: the page decides when it is done again.
    refetchOnWindowFocus: false,
    retry: false,
  });

/** The sum of a histogram with the same filters and intervals; undefined until it is read. */
export function useChangeTotal(filters: Props['filters'], intervals: number): number | undefined {
  const project_id = useProjectId();
  const { data } = useQuery({ ...changeCountsQuery(project_id, filters, intervals), select: sumOf });
  return data;
}

const sumOf = ({ intervals }: { readonly intervals: readonly Interval[] }): number =>
  intervals.reduce((sum, { changes }) => sum + changes, 0);

/**
 * The numbers of changes in intervals of time. Drag over several, or select them with Shift, the arrows and Enter; a click
 * or Enter chooses one. Escape drops the selection, or leads back to all times.
 */
export function ChangeHistogram({ filters, intervals, isSmall = false, ...actions }: Props) {
  const project_id = useProjectId();
  const { data, error, refetch } = useQuery({
    ...changeCountsQuery(project_id, filters, intervals),
    // The bars keep the focus while those of another range are read.
    placeholderData: keepPreviousData,
  });
  const allTimes = actions.onClear && (
    <Button variant="default" size="compact-sm" onClick={actions.onClear}>
      All times
    </Button>
  );
  if (error && !data)
    return (
      <div className={classes.texts}>
        <span>The numbers of changes cannot be shown: {error.message}</span>
        <Button variant="default" size="compact-sm" onClick={() => void refetch()}>
          Retry
        </Button>
        {allTimes}
      </div>
    );
  if (data?.intervals.length === 0) return allTimes && <div className={classes.texts}>{allTimes}</div>;
  return (
    <div className={clsx(classes.histogram, isSmall && classes.small)}>
      {data && <Bars intervals={data.intervals} allTimes={allTimes} {...actions} />}
    </div>
  );
}

interface Interval extends TimeRange {
  readonly changes: number;
}

interface BarsProps extends Pick<Props, 'onIntervalChosen' | 'onRangeSelected' | 'onClear'> {
  readonly intervals: readonly Interval[];
  /** The button that leads back. */
  readonly allTimes: ReactNode;
}

/** A range while it is selected. */
interface Selection {
  /** The index of the interval at which it began. */
  readonly anchor: number;
  /** The boundaries move when changes are counted again, so the selection keeps those that it began with. */
  readonly intervals: readonly Interval[];
}

function Bars({ intervals: newest, allTimes, onIntervalChosen, onRangeSelected, onClear }: BarsProps) {
  const id = useId();
  const [selection, setSelection] = useState<Selection>();
  /** The index that the keys and drags move; undefined without the focus. */
  const [cursor, setCursor] = useState<number>();
  /** The index under the pointer. Moving the pointer does not change a selection by keys. */
  const [hovered, setHovered] = useState<number>();
  const intervals = selection?.intervals ?? newest;
  const last = intervals.length - 1;
  const current = Math.min(cursor ?? last, last);
  const anchor = selection?.anchor ?? current;
  const [from, to] = [Math.min(anchor, current), Math.max(anchor, current)];
  const focused = cursor === undefined ? undefined : current;
  const marked = selection ? focused : (hovered ?? focused);
  const described = selection
    ? intervals.slice(from, to + 1)
    : marked === undefined
      ? intervals
      : intervals.slice(marked, marked + 1);
  const maxChanges = Math.max(1, ...intervals.map(({ changes }) => changes));

  const finish = (end: number) => {
    const start = selection?.anchor ?? end;
    const [first, final] = [intervals[Math.min(start, end)], intervals[Math.max(start, end)]];
    setCursor(end);
    setSelection(undefined);
    if (first && final)
      (start === end ? onIntervalChosen : onRangeSelected)({ since: first.since, until: final.until });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = { ArrowLeft: current - 1, ArrowRight: current + 1, Home: 0, End: last }[event.key];
    if (target !== undefined) {
      setSelection(event.shiftKey ? { anchor, intervals } : undefined);
      setCursor(Math.max(0, Math.min(target, last)));
    } else if (event.key === 'Enter' || event.key === ' ') finish(current);
    else if (event.key === 'Escape' && selection) setSelection(undefined);
    else if (event.key === 'Escape' && onClear) onClear();
    else return;
    event.preventDefault();
  };
  const indexAt = (event: PointerEvent): number => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const position = Math.floor(((event.clientX - left) / width) * intervals.length);
    return Math.max(0, Math.min(position, last));
  };
  return (
    <>
      <div
        className={classes.bars}
        role="listbox"
        aria-label="Changes over time"
        aria-orientation="horizontal"
        aria-multiselectable
        aria-activedescendant={`${id}-${String(current)}`}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onFocus={() => {
          setCursor(current);
        }}
        onBlur={() => {
          setCursor(undefined);
          setSelection(undefined);
        }}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          const index = indexAt(event);
          setCursor(index);
          setSelection({ anchor: index, intervals });
        }}
        onPointerMove={(event) => {
          const index = indexAt(event);
          setHovered(index);
          if (event.currentTarget.hasPointerCapture(event.pointerId)) setCursor(index);
        }}
        onPointerUp={(event) => {
          if (event.currentTarget.hasPointerCapture(event.pointerId)) finish(indexAt(event));
        }}
        onPointerCancel={() => {
          setSelection(undefined);
        }}
        onPointerLeave={() => {
          setHovered(undefined);
        }}
      >
        {intervals.map((interval, i) => (
          <div
            key={interval.since}
            id={`${id}-${String(i)}`}
            className={classes.bar}
            role="option"
            aria-label={describe([interval])}
            aria-selected={selection !== undefined && from <= i && i <= to}
            data-marked={i === marked || undefined}
          >
            {interval.changes > 0 && (
              <div
                className={classes.count}
                style={{ height: `${(interval.changes / maxChanges) * 100}%` }}
              />
            )}
          </div>
        ))}
      </div>
      {/* The button stands first: the length of the text changes when the bars lose the focus to the button. */}
      <div className={classes.texts}>
        {allTimes}
        <span>{describe(described)}</span>
        {marked === undefined && !selection && <span>Drag over bars to select a range</span>}
      </div>
    </>
  );
}

/** `Nov 20, 2026, 2:00:00 – 3:00:00 PM: 3 changes` */
function describe(intervals: readonly Interval[]): string {
  const [first, last] = [intervals[0], intervals.at(-1)];
  if (!first || !last) return '';
  const changes = sumOf({ intervals });
  const range = localTime
    .formatRangeToParts(dateOf(first.since), dateOf(last.until))
    // No line begins with AM or PM.
    .map(({ type, value }, i, parts) =>
      type === 'literal' && parts[i + 1]?.type === 'dayPeriod' ? '\u00A0' : value,
    )
    .join('');
  return `${range}: ${counted(changes, 'change')}`;
}
