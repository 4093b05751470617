import { ActionIcon, Loader } from '@mantine/core';
import { ChevronLeftIcon, ChevronRightIcon } from '@radix-ui/react-icons';
import clsx from 'clsx';
import type { CSSProperties, ReactNode } from 'react';
import { DeviceState } from '../../components/device-state';
import { LevelMark } from '../../components/level-mark';
import { MiddleEllipsis } from '../../components/middle-ellipsis';
import { RouteLink } from '../../components/resource-link';
import classes from './device-graph.module.css';
import type { DeviceNode, GraphDevice, GridPosition } from './graph-layout';

/** The distance from one column to the next, in rem: the graph grows with the font. */
export const COLUMN = 15.5;
const ROW = 3.25;
const WIDTH = 12.5;
const HEIGHT = 2.625;

const styleOf = ({ column, row }: GridPosition): CSSProperties => ({
  left: `${column * COLUMN}rem`,
  top: `${row * ROW}rem`,
  width: `${WIDTH}rem`,
  height: `${HEIGHT}rem`,
});

/** The size of a graph, in rem. */
export function extentOf(nodes: readonly DeviceNode[]): { readonly width: number; readonly height: number } {
  const positions: readonly GridPosition[] = nodes.flatMap((node) =>
    node.more ? [node, node.more] : [node],
  );
  const columns = Math.max(...positions.map(({ column }) => column));
  const rows = Math.max(...positions.map(({ row }) => row));
  return { width: columns * COLUMN + WIDTH, height: rows * ROW + HEIGHT };
}

interface NodeProps {
  readonly node: DeviceNode;
  /** The id of the link. */
  readonly id: string;
  readonly isCurrent?: boolean;
  /** Whether Tab leads to the node: it leads to one in the graph, and the arrows to the others. */
  readonly isTabStop: boolean;
  /** Shown after the type. */
  readonly note?: ReactNode;
  readonly children?: ReactNode;
}

/** A device. Its link leads to its own graph. */
export function GraphNode({ node, id, isCurrent = false, isTabStop, note, children }: NodeProps) {
  const { device } = node;
  return (
    <div
      className={clsx(classes.node, isCurrent && classes.current, !device.active && classes.inactive)}
      style={styleOf(node)}
    >
      <div className={classes.text}>
        <LevelMark level="device">
          <RouteLink
            id={id}
            tabIndex={isTabStop ? 0 : -1}
            className={classes.link}
            to="/devices/$collection/$id"
            params={{ collection: device.collection, id: String(device.id) }}
            search={{ tab: 'children' }}
            size="sm"
            title={device.name}
            // The parts of a name that is shortened are read as words.
            aria-label={device.name}
            {...(isCurrent ? { 'aria-current': 'page' as const } : {})}
          >
            <MiddleEllipsis text={device.name} />
          </RouteLink>
        </LevelMark>
        <div className={classes.details}>
          <span>{device.device_type}</span>
          {!device.active && <DeviceState isActive={false} />}
          {note}
        </div>
      </div>
      {children}
    </div>
  );
}

interface ToggleProps {
  readonly name: string;
  readonly isTabStop: boolean;
  readonly isOpen: boolean;
  readonly isLoading: boolean;
  readonly onToggle: () => void;
}

/** Shows and hides the children of a device. */
export function Toggle({ name, isTabStop, isOpen, isLoading, onToggle }: ToggleProps) {
  const Chevron = isOpen ? ChevronLeftIcon : ChevronRightIcon;
  return (
    <ActionIcon
      size="sm"
      tabIndex={isTabStop ? 0 : -1}
      className={classes.toggle}
      aria-label={`Children of ${name}`}
      aria-expanded={isOpen}
      aria-busy={isLoading}
      onClick={onToggle}
    >
      {isLoading ? <Loader size={12} color="currentColor" aria-hidden /> : <Chevron aria-hidden />}
    </ActionIcon>
  );
}

interface MoreProps {
  readonly of: GraphDevice;
  readonly more: GridPosition & { readonly count: number };
}

/** The children that are not drawn. It leads to the tree, which has all of them. */
export function MoreChildren({ of: { collection, id, name }, more }: MoreProps) {
  const count = more.count.toLocaleString();
  return (
    <div className={classes.more} style={styleOf(more)}>
      <RouteLink
        to="/devices/$collection/$id"
        params={{ collection, id: String(id) }}
        search={{ tab: 'children', view: 'tree' }}
        size="sm"
        aria-label={`+ ${count} more children of ${name}`}
      >
        + {count} more
      </RouteLink>
    </div>
  );
}

/** The lines between parents and children. */
export function Edges({ nodes }: { readonly nodes: readonly DeviceNode[] }) {
  const { width, height } = extentOf(nodes);
  const lines = nodes.flatMap((parent) =>
    [...parent.children, ...(parent.more ? [parent.more] : [])].map((child) => lineBetween(parent, child)),
  );
  return (
    <svg className={classes.edges} viewBox={`0 0 ${width} ${height}`} aria-hidden>
      <path d={lines.join('')} />
    </svg>
  );
}

/** From the right of the parent to the left of the child, with right angles. */
function lineBetween(parent: GridPosition, child: GridPosition): string {
  const middle = (row: number) => row * ROW + HEIGHT / 2;
  const end = child.column * COLUMN;
  const bend = end - (COLUMN - WIDTH) / 2;
  const start = parent.column * COLUMN + WIDTH;
  return `M${start} ${middle(parent.row)}H${bend}V${middle(child.row)}H${end}`;
}
