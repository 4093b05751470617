import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Operation, Proposal } from '../../api/proposals';
import { RouteLink } from '../../components/resource-link';
import { ErrorState, LoadingState } from '../../components/states';
import { VariableValue } from '../../components/variable-value';
import classes from './reviews.module.css';
import { operationTitle } from './operation-title';
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
        <EarlierOperations proposal={proposal} revision={chosen} />
      ) : (
        <OperationList operations={proposal.operations} resources={proposal.resources} />
      )}
    </>
  );
}

function EarlierOperations({
  proposal,
  revision,
}: {
  readonly proposal: Proposal;
  readonly revision: number;
}) {
  const { data, error, refetch } = useQuery(revisionQuery(proposal.id, revision));
  if (error && !data) return <ErrorState error={error} what="the revision" onRetry={() => void refetch()} />;
  return data ? (
    <OperationList operations={data.operations} resources={proposal.resources} />
  ) : (
    <LoadingState what="the revision" />
  );
}

interface ListProps {
  readonly operations: readonly Operation[];
  readonly resources: Proposal['resources'];
}

const OperationList = ({ operations, resources }: ListProps) => (
  <ol className={classes.reviews} aria-label="Operations">
    {operations.map((operation, i) => (
      <li key={i} className={classes.review}>
        <OperationItem operation={operation} title={operationTitle(operation, resources)} />
      </li>
    ))}
  </ol>
);

interface ItemProps {
  readonly operation: Operation;
  readonly title: string | undefined;
}

function OperationItem({ operation: { method, path, body }, title }: ItemProps) {
  if (path === null) return 'An operation with a variable that you may not see';
  return (
    <>
      {title !== undefined && (
        <Text size="sm" fw={600}>
          {title}
        </Text>
      )}
      <code>
        {method} {path}
      </code>
      {body !== undefined && body !== null && (
        <div>
          <VariableValue value={body} />
        </div>
      )}
    </>
  );
}
