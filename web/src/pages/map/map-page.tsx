import { Autocomplete, Button, SegmentedControl, Select } from '@mantine/core';
import { DrawingPinFilledIcon, DrawingPinIcon } from '@radix-ui/react-icons';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { api, unwrap } from '../../api/client';
import { defaultKind, deviceCollections, kindTitle } from '../../api/kinds';
import { useLocations } from '../../api/locations';
import { useKeyCompletions } from '../../api/variable-keys';
import { useProjectId } from '../../app/use-project';
import { FleetMap } from '../../components/fleet-map/fleet-map';
import { PageTitle } from '../../components/page-title';
import { usePinnedVariables } from '../../components/pinned-variables';
import classes from './map-page.module.css';
import type { MapSearch } from './map-search';

const route = getRouteApi('/signed-in/map');

/** Audits that are offered. */
const MAX_AUDITS = 500;
/** The fleet map: regions and cells, coloured by state, by a variable, or by the verdict of an audit. */
export function MapPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { regions } = useLocations();
  const change = (changed: MapSearch) => {
    void navigate({ search: (former) => ({ ...former, ...changed }) });
  };
  return (
    <>
      <PageTitle title="Fleet map" />
      <div className={classes.bar}>
        {search.audit === undefined && (
          <SegmentedControl
            aria-label="Kind of device"
            value={search.collection ?? defaultKind.collection}
            data={deviceCollections.map((value) => ({ value, label: kindTitle(value) }))}
            onChange={(collection) => {
              change({ collection });
            }}
          />
        )}
        <VariableChoice key={search.key ?? ''} search={search} onChange={change} />
        <AuditChoice search={search} onChange={change} />
        <Select
          aria-label="Region"
          comboboxProps={{ withinPortal: false }}
          placeholder="All regions"
          w={160}
          searchable
          clearable
          limit={100}
          data={regions.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={search.region === undefined ? null : String(search.region)}
          onChange={(id) => {
            change({ region: id === null ? undefined : Number(id) });
          }}
        />
        <SegmentedControl
          aria-label="Shown as"
          value={search.table === true ? 'table' : 'tiles'}
          data={[
            { value: 'tiles', label: 'Tiles' },
            { value: 'table', label: 'Table' },
          ]}
          onChange={(shown) => {
            change({ table: shown === 'table' || undefined });
          }}
        />
      </div>
      <FleetMap search={search} isTable={search.table === true} />
    </>
  );
}

interface ChoiceProps {
  readonly search: MapSearch;
  readonly onChange: (changed: MapSearch) => void;
}

/** The variable that gives tiles their colours, and whether its values or their differences do. */
function VariableChoice({ search: { key, show }, onChange }: ChoiceProps) {
  const [text, setText] = useState(key ?? '');
  const completions = useKeyCompletions(text);
  const { keys, pin, unpin } = usePinnedVariables();
  const choose = (chosen: string) => {
    const name = chosen.trim();
    if (name !== (key ?? '')) onChange({ key: name === '' ? undefined : name, audit: undefined });
  };
  const isPinned = key !== undefined && keys.includes(key);
  return (
    <>
      <Autocomplete
        aria-label="Variable"
        comboboxProps={{ withinPortal: false }}
        placeholder="Colour by a variable"
        w={200}
        clearable
        data={completions}
        value={text}
        onChange={setText}
        onOptionSubmit={choose}
        onClear={() => {
          choose('');
        }}
        onBlur={() => {
          choose(text);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') choose(text);
        }}
      />
      {key !== undefined && (
        <>
          <SegmentedControl
            aria-label="Colours"
            value={show ?? 'values'}
            data={[
              { value: 'values', label: 'Values' },
              { value: 'disagreement', label: 'Disagreement' },
            ]}
            onChange={(value) => {
              onChange({ show: value === 'disagreement' ? value : undefined });
            }}
          />
          <Button
            variant="default"
            leftSection={isPinned ? <DrawingPinFilledIcon aria-hidden /> : <DrawingPinIcon aria-hidden />}
            aria-pressed={isPinned}
            onClick={() => {
              if (isPinned) unpin(key);
              else pin(key);
            }}
          >
            {isPinned ? 'On the overview' : 'Pin to the overview'}
          </Button>
        </>
      )}
    </>
  );
}

/** The audit whose verdict gives tiles their colours. */
function AuditChoice({ search: { audit }, onChange }: ChoiceProps) {
  const project_id = useProjectId();
  const { data = [] } = useQuery({
    queryKey: ['audits', project_id, 'of-map'],
    queryFn: async ({ signal }) => {
      const query = {
        ...{ project_id, fields: ['id' as const, 'name' as const] },
        ...{ sort_keys: ['name' as const], limit: MAX_AUDITS },
      };
      const found = await unwrap(api.GET('/v1/audits', { params: { query }, signal }));
      return found.map(({ id = 0, name = '' }) => ({ id, name }));
    },
    staleTime: 60_000,
  });
  if (data.length === 0) return null;
  return (
    <Select
      aria-label="Audit"
      comboboxProps={{ withinPortal: false }}
      placeholder="Colour by an audit"
      w={180}
      searchable
      clearable
      limit={100}
      data={data.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={audit === undefined ? null : String(audit)}
      onChange={(id) => {
        onChange({ audit: id === null ? undefined : Number(id), key: undefined, show: undefined });
      }}
    />
  );
}
