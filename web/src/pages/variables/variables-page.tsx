import { Group, TextInput } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { api } from '../../api/client';
import { unwrapPage } from '../../api/pages';
import { isKeyPrefix } from '../../api/variable-keys';
import { useProjectId } from '../../app/use-project';
import type { FetchPage } from '../../components/keyset-pages';
import { PAGE_SIZE } from '../../components/list-page';
import { PageTitle } from '../../components/page-title';
import { ResourceTable } from '../../components/resource-table';
import { EmptyState } from '../../components/states';
import { keyColumns, type KeyRow } from './key-columns';

const route = getRouteApi('/signed-in/variables');

/** The keys of variables, with the number of resources that set them on each level. */
export function VariablesPage() {
  const { key: prefix } = route.useSearch();
  const navigate = route.useNavigate();
  const project_id = useProjectId();
  const isValid = prefix === undefined || isKeyPrefix(prefix);
  return (
    <>
      <Group justify="space-between" gap="xs">
        <PageTitle title="Variables" />
        <TextInput
          aria-label="Keys that begin with"
          placeholder="Key begins with…"
          value={prefix ?? ''}
          error={!isValid}
          onChange={(event) => {
            void navigate({ search: { key: event.currentTarget.value || undefined }, replace: true });
          }}
        />
      </Group>
      {isValid ? (
        <ResourceTable
          label="variables"
          queryKey={['variable-keys', project_id, 'list', prefix ?? '']}
          fetchPage={fetchPageOf(project_id, prefix)}
          columns={keyColumns}
          onOpen={({ key }) => {
            void navigate({ to: '/variables/$key', params: { key }, search: {} });
          }}
          offersNewer
          empty={
            prefix === undefined ? (
              <EmptyState title="No variables yet">
                Set one on a device, or on a region, a cell or a label for all of its devices.
              </EmptyState>
            ) : (
              <EmptyState title="No key matches">Change the text above.</EmptyState>
            )
          }
        />
      ) : (
        <EmptyState title="Not the beginning of a key">
          A key consists of letters, digits, <code>_</code> and, except at the start, <code>-</code>.
        </EmptyState>
      )}
    </>
  );
}

const fetchPageOf =
  (project_id: string, prefix: string | undefined): FetchPage<KeyRow> =>
  async (marker, signal) => {
    const query = {
      project_id,
      limit: PAGE_SIZE,
      ...(prefix === undefined ? {} : { key: `${prefix}*` }),
      ...(marker === undefined ? {} : { marker }),
    };
    const { body, next } = await unwrapPage(api.GET('/v1/variable-keys', { params: { query }, signal }));
    return {
      body: body.map(({ key = '', ...item }) => ({ ...item, key, id: `${key}/${project_id}` })),
      next,
    };
  };
