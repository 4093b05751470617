import { ActionIcon, Autocomplete, Button, Group } from '@mantine/core';
import { Cross2Icon } from '@radix-ui/react-icons';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useKeyCompletions } from '../../api/variable-keys';
import { lazyComponent } from '../../components/lazy-component';
import { MAX_PINNED, usePinnedVariables } from '../../components/pinned-variables';
import { RouteLink } from '../../components/resource-link';
import { LoadingState } from '../../components/states';
import classes from './overview-page.module.css';

const FleetMap = lazyComponent(
  () => import('../../components/fleet-map/fleet-map').then(({ FleetMap: component }) => component),
  { fallback: <LoadingState what="the map" /> },
);

const route = getRouteApi('/signed-in/');

/** The regions of the fleet map, with the variables that the user has pinned. */
export function PinnedMap() {
  const { pinned } = route.useSearch();
  const navigate = route.useNavigate();
  const { keys, pin, unpin } = usePinnedVariables();
  const shown = pinned !== undefined && keys.includes(pinned) ? pinned : undefined;
  const show = (key: string | undefined) => {
    void navigate({ search: { pinned: key }, replace: true, resetScroll: false });
  };
  return (
    <>
      <Group gap="xs" pb="xs" role="group" aria-label="Pinned variables">
        <Button
          size="compact-sm"
          variant={shown === undefined ? 'filled' : 'default'}
          aria-pressed={shown === undefined}
          onClick={() => {
            show(undefined);
          }}
        >
          State
        </Button>
        {keys.map((key) => (
          <Group key={key} gap={0} wrap="nowrap" className={classes.pin}>
            <Button
              size="compact-sm"
              variant={key === shown ? 'filled' : 'default'}
              aria-pressed={key === shown}
              ff="monospace"
              onClick={() => {
                show(key);
              }}
            >
              {key}
            </Button>
            <ActionIcon
              size="sm"
              aria-label={`Unpin ${key}`}
              title={`Unpin ${key}`}
              onClick={() => {
                unpin(key);
              }}
            >
              <Cross2Icon aria-hidden />
            </ActionIcon>
          </Group>
        ))}
        {keys.length < MAX_PINNED && (
          <NewPin
            taken={keys}
            onPin={(key) => {
              pin(key);
              show(key);
            }}
          />
        )}
        <RouteLink to="/map" search={{ key: shown }} size="sm">
          All cells
        </RouteLink>
      </Group>
      <FleetMap search={{ key: shown }} isByRegion />
    </>
  );
}

interface NewPinProps {
  readonly taken: readonly string[];
  readonly onPin: (key: string) => void;
}

function NewPin({ taken, onPin }: NewPinProps) {
  const [text, setText] = useState('');
  const completions = useKeyCompletions(text).filter((key) => !taken.includes(key));
  const submit = (key: string) => {
    if (key.trim() === '') return;
    onPin(key.trim());
    setText('');
  };
  return (
    <Autocomplete
      size="xs"
      w={170}
      aria-label="Pin a variable"
      comboboxProps={{ withinPortal: false }}
      placeholder="Pin a variable…"
      data={completions}
      value={text}
      onChange={setText}
      onOptionSubmit={submit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') submit(text);
      }}
    />
  );
}
