import { ChevronDownIcon, ChevronRightIcon } from '@radix-ui/react-icons';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useId, useRef, useState, type KeyboardEvent } from 'react';
import type { DeviceKind } from '../../api/kinds';
import { LevelMark } from '../../components/level-mark';
import type { ListFilters } from '../../components/list-search';
import { useFleetNodes, type FleetNode } from './fleet-nodes';
import classes from './fleet-tree.module.css';

const ROW_HEIGHT = 28;
const OVERSCAN = 10;
/** Of each level, in pixels. */
const INDENT = 16;

/** The part of the search parameters that a node sets. */
interface TreeLocation {
  readonly region_id: number[] | undefined;
  readonly cell_id: number[] | undefined;
}

interface Props {
  readonly kind: DeviceKind['kind'];
  readonly filters: ListFilters;
  readonly onSelect: (location: TreeLocation) => void;
}

/**
 * The regions of the project with their cells, and how many devices they have. Arrows, Home, End and letters move, Right
 * opens, Left closes, Enter and Space show the devices of the location in the list.
 */
export function FleetTree({ kind, filters: { region_id, cell_id, ...filters }, onSelect }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const id = useId();
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set(region_id));
  const nodes = useFleetNodes({ kind, filters }, open);
  const [active, setActive] = useState(0);
  const virtualizer = useVirtualizer({
    count: nodes.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
  });
  const move = (to: number) => {
    const next = Math.max(0, Math.min(to, nodes.length - 1));
    setActive(next);
    virtualizer.scrollToIndex(next);
  };
  const toggle = ({ region_id: region, isOpen }: FleetNode) => {
    if (region === undefined || isOpen === undefined) return;
    const others = [...open].filter((other) => other !== region);
    setOpen(new Set(isOpen ? others : [...others, region]));
  };
  const select = ({ region_id: region, cell_id: cell }: FleetNode) => {
    onSelect({
      region_id: cell === undefined && region !== undefined ? [region] : undefined,
      cell_id: cell === undefined ? undefined : [cell],
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const node = nodes[active];
    if (!node || event.ctrlKey || event.metaKey || event.altKey) return;
    const actions: Readonly<Record<string, () => void>> = {
      ArrowDown: () => {
        move(active + 1);
      },
      ArrowUp: () => {
        move(active - 1);
      },
      Home: () => {
        move(0);
      },
      End: () => {
        move(nodes.length - 1);
      },
      ArrowRight: () => {
        if (node.isOpen === false) toggle(node);
        else if (node.isOpen) move(active + 1);
      },
      ArrowLeft: () => {
        if (node.level === 2 && node.isOpen) toggle(node);
        else move(nodes.findLastIndex(({ level }, i) => i < active && level < node.level));
      },
      Enter: () => {
        select(node);
      },
      ' ': () => {
        select(node);
      },
    };
    const action = actions[event.key];
    if (action) action();
    else if (event.key.length === 1) move(indexOfName(nodes, active, event.key));
    else return;
    event.preventDefault();
  };
  const items = virtualizer.getVirtualItems();
  return (
    <div
      ref={scroller}
      className={classes.tree}
      role="tree"
      aria-label="Locations"
      aria-activedescendant={`${id}-${active}`}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div
        role="presentation"
        style={{
          height: virtualizer.getTotalSize(),
          paddingTop: items[0]?.start ?? 0,
          boxSizing: 'border-box',
        }}
      >
        {items.map(({ index }) => {
          const node = nodes[index];
          return (
            node && (
              <Item
                key={index}
                id={`${id}-${index}`}
                node={node}
                isActive={index === active}
                isSelected={isSelected(node, region_id, cell_id)}
                onClick={() => {
                  setActive(index);
                  select(node);
                }}
                onToggle={() => {
                  setActive(index);
                  toggle(node);
                }}
              />
            )
          );
        })}
      </div>
    </div>
  );
}

/** Whether the list has the devices of a node and no others. Without filters by locations, it has those of the first one. */
function isSelected(
  { region_id, cell_id }: FleetNode,
  regions: ListFilters['region_id'] = [],
  cells: ListFilters['cell_id'] = [],
): boolean {
  const isCell = cells.length > 0;
  const [chosen, ...others] = isCell ? cells : regions;
  return others.length === 0 && isCell === (cell_id !== undefined) && chosen === (cell_id ?? region_id);
}

/** The next node after a position whose name begins with a letter; the same position if there is none. */
function indexOfName(nodes: readonly FleetNode[], after: number, letter: string): number {
  const found = nodes.map((_, i) => (after + 1 + i) % nodes.length);
  return found.find((i) => nodes[i]?.name.toLowerCase().startsWith(letter.toLowerCase())) ?? after;
}

interface ItemProps {
  readonly id: string;
  readonly node: FleetNode;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly onClick: () => void;
  readonly onToggle: () => void;
}

function Item({ id, node, isActive, isSelected, onClick, onToggle }: ItemProps) {
  const { level, name, devices, isOpen, position, siblings } = node;
  const Twist = isOpen ? ChevronDownIcon : ChevronRightIcon;
  return (
    <div
      id={id}
      role="treeitem"
      className={classes.item}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-expanded={isOpen}
      aria-selected={isSelected}
      data-active={isActive || undefined}
      style={{ paddingLeft: INDENT * level - INDENT + 4 }}
      onClick={onClick}
    >
      <span
        className={classes.twist}
        onClick={(event) => {
          if (isOpen === undefined) return;
          event.stopPropagation();
          onToggle();
        }}
      >
        {isOpen !== undefined && <Twist aria-hidden />}
      </span>
      <span className={classes.name}>
        {level === 1 ? name : <LevelMark level={level === 2 ? 'region' : 'cell'}>{name}</LevelMark>}
      </span>
      <span className={classes.count}>{devices?.toLocaleString()}</span>
    </div>
  );
}
