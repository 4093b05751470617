import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { ErrorState, LoadingState } from '../../components/states';
import classes from './device-graph.module.css';
import { ancestorsQuery, descendantsQuery, knownChildren } from './device-relatives';
import { layOut, nodesOf, type DeviceNode, type GraphDevice } from './graph-layout';
import { COLUMN, Edges, extentOf, GraphNode, MoreChildren, Toggle } from './graph-parts';
import { NoChildren } from './no-children';

interface Props {
  readonly device: GraphDevice;
  readonly projectId: string;
}

/**
 * The ancestors of a device, the device itself and its descendants, from left to right. Arrows move between devices, and
 * Right also opens one whose children are not shown.
 */
export function DeviceGraph({ device, projectId }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const prefix = useId();
  // Devices that were opened although their children had not been read, and those that were closed.
  const [toggled, setToggled] = useState<ReadonlyMap<number, boolean>>(new Map());
  const [lastFocused, setLastFocused] = useState(device.id);
  const ancestors = useQuery(ancestorsQuery(useQueryClient(), device));
  const read = [device.id, ...[...toggled].flatMap(([id, isOpened]) => (isOpened ? [id] : []))];
  const descendants = useQueries({ queries: read.map((id) => descendantsQuery(id, projectId)) });
  const isReady = ancestors.data !== undefined && descendants[0]?.data !== undefined;
  const column = ancestors.data?.devices.length ?? 0;
  useEffect(() => {
    const element = scroller.current;
    if (!isReady || !element) return;
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    // The device is in view, with a part of its parent.
    element.scrollLeft = column * COLUMN * rem - element.clientWidth / 4;
  }, [isReady, column]);

  const failed = [ancestors, ...descendants].find(({ error }) => error !== null);
  const error = failed && (
    <ErrorState error={failed.error} what="the graph" onRetry={() => void failed.refetch()} />
  );
  if (!ancestors.data || !isReady) return error ?? <LoadingState what="the graph" />;

  const known = knownChildren(read.map((id, i) => [id, descendants[i]?.data]));
  const isOpen = (id: number) => known.has(id) && toggled.get(id) !== false;
  const isLoading = (id: number) => !known.has(id) && descendants[read.indexOf(id)]?.isFetching === true;
  const toggle = (id: number) => {
    const others = new Map(toggled);
    if (isOpen(id)) others.set(id, false);
    else if (known.has(id) || toggled.get(id) === true) others.delete(id);
    else others.set(id, true);
    setToggled(others);
  };
  const root = layOut(device, new Map([...known].filter(([id]) => isOpen(id))), column);
  const top = ancestors.data.devices.reduceRight(
    (child: DeviceNode, ancestor, i) => ({
      ...child,
      device: ancestor,
      column: i,
      children: [child],
      more: undefined,
    }),
    root,
  );
  const nodes = nodesOf(top);
  const tabStop = nodes.find((node) => node.device.id === lastFocused) ?? root;
  const { width, height } = extentOf(nodes);
  const idOf = (node: DeviceNode) => `${prefix}-${node.device.id}`;

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { target, key } = event;
    const node = nodes.find((other) => target instanceof Element && idOf(other) === target.id);
    if (!node || event.ctrlKey || event.metaKey || event.altKey) return;
    const inColumn = nodes.filter((other) => other.column === node.column);
    const neighbours = new Map([
      ['ArrowUp', inColumn[inColumn.indexOf(node) - 1]],
      ['ArrowDown', inColumn[inColumn.indexOf(node) + 1]],
      ['ArrowLeft', nodes.find(({ children }) => children.includes(node))],
      ['ArrowRight', node.children[0]],
    ]);
    if (!neighbours.has(key)) return;
    event.preventDefault();
    const neighbour = neighbours.get(key);
    if (neighbour) document.getElementById(idOf(neighbour))?.focus();
    else if (key === 'ArrowRight' && !isOpen(node.device.id) && toggled.get(node.device.id) !== true)
      toggle(node.device.id);
  };

  const branch = (node: DeviceNode) => {
    const { id, name } = node.device;
    const isAncestor = node.column < column;
    return (
      <li key={id}>
        <GraphNode
          node={node}
          id={idOf(node)}
          isCurrent={node === root}
          isTabStop={node === tabStop}
          note={node === top && !ancestors.data.isComplete && <span>has more ancestors</span>}
        >
          {!isAncestor && known.get(id)?.total !== 0 && (
            <Toggle
              name={name}
              isTabStop={node === tabStop}
              isOpen={isOpen(id)}
              isLoading={isLoading(id)}
              onToggle={() => {
                toggle(id);
              }}
            />
          )}
        </GraphNode>
        {(node.children.length > 0 || node.more) && (
          <ul aria-label={isAncestor ? undefined : `Children of ${name}`}>
            {node.children.map(branch)}
            {node.more && (
              <li>
                <MoreChildren of={node.device} more={node.more} />
              </li>
            )}
          </ul>
        )}
      </li>
    );
  };

  return (
    <>
      <div ref={scroller} className={classes.scroller}>
        <div
          className={classes.graph}
          style={{ width: `${width}rem`, height: `${height}rem` }}
          role="presentation"
          onKeyDown={onKeyDown}
          onFocus={({ target }) => {
            setLastFocused(nodes.find((node) => idOf(node) === target.id)?.device.id ?? lastFocused);
          }}
        >
          <Edges nodes={nodes} />
          <ul aria-label={`Ancestors and descendants of ${device.name}`}>{branch(top)}</ul>
        </div>
      </div>
      {error}
      {known.get(device.id)?.total === 0 && <NoChildren name={device.name} />}
    </>
  );
}
