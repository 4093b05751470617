import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Operation, Proposal } from '../../api/proposals';
import { RouteLink } from '../../components/resource-link';
import { ErrorState, LoadingState } from '../../components/states';
import { VariableValue } from '../../components/variable-value';
import classes from './reviews.module.css';
import { revisionQuery } from './proposal-query';

const route = getRouteApi('/signed-in/proposals/$id');

/** The operations as they were sent, of the present revision or of an earlier one. */
export function Operations({ proposal }: { readonly proposal: Proposal }) {
  const { revision: chosen = proposal.revision } = route.useSearch();
  const earlier = chosen < proposal.revision;
  return (
    <>
      {proposal.revision > 1 && (
        <Group gap="xs" component="nav" aria-label="Revisions">
          <Text span size="sm" c="dimmed">
            Revision
          </Text>
          {Array.from({ length: proposal.revision }, (_, i) => i + 1).map((revision) =>
            revision === chosen ? (
              <Text key={revision} span size="sm" fw={600} aria-current="true">
                {revision}
              </Text>
            ) : (
              <RouteLink
                key={revision}
                to="."
                search={{
                  tab: 'operations',
                  revision: revision === proposal.revision ? undefined : revision,
                }}
                size="sm"
              >
                {revision}
              </RouteLink>
            ),
          )}
        </Group>
      )}
      {earlier ? (
        <EarlierOperations id={proposal.id} revision={chosen} />
      ) : (
        <OperationList operations={proposal.operations} />
      )}
    </>
  );
}

function EarlierOperations({ id, revision }: { readonly id: number; readonly revision: number }) {
  const { data, error, refetch } = useQuery(revisionQuery(id, revision));
  if (error && !data) return <ErrorState error={error} what="the revision" onRetry={() => void refetch()} />;
  return data ? <OperationList operations={data.operations} /> : <LoadingState what="the revision" />;
}

const OperationList = ({ operations }: { readonly operations: readonly Operation[] }) => (
  <ol className={classes.reviews} aria-label="Operations">
    {operations.map(({ method, path, body }, i) => (
      <li key={i} className={classes.review}>
        {path === null ? (
          'An operation with a variable that you may not see'
        ) : (
          <>
            <code>
              {method} {path}
            </code>
            {body !== undefined && body !== null && (
              <div>
                <VariableValue value={body} />
              </div>
            )}
          </>
        )}
      </li>
    ))}
  </ol>
);
