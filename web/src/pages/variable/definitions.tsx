import { Text, Title } from '@mantine/core';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { definitionsQuery, describesKey } from '../../api/variable-definitions';
import { isAdmin, sessionQuery } from '../../api/session';
import { useProjectId } from '../../app/use-project';
import { jsonText } from '../../api/exact-json';
import { RouteLink } from '../../components/resource-link';
import { EmptyState, ErrorState, LoadingState } from '../../components/states';
import classes from './variable-page.module.css';
import { Violations } from './violations';

/** The definitions that describe a key, each with the values that violate it. */
export function Definitions({ name }: { readonly name: string }) {
  const project_id = useProjectId();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const { data, error, refetch } = useQuery(definitionsQuery(project_id));
  if (error && !data)
    return <ErrorState error={error} what="the definitions" onRetry={() => void refetch()} />;
  if (!data) return <LoadingState what="the definitions" />;
  const definitions = data.filter(({ key = '' }) => describesKey(key, name));
  if (definitions.length === 0)
    return (
      <EmptyState title="No definition">
        Every value is valid.{' '}
        {isAdmin(session) ? (
          <>
            Create a definition under{' '}
            <RouteLink to="/admin" search={{ section: 'definitions' }} size="sm">
              Variable definitions
            </RouteLink>
            .
          </>
        ) : (
          'An admin of the project can create a definition.'
        )}
      </EmptyState>
    );
  return definitions.map(({ id = 0, key, description, schema }) => (
    <section key={id} className={classes.definition}>
      <Title order={2} ff="monospace">
        {key}
      </Title>
      <Text size="sm">{description}</Text>
      <pre className={classes.schema} tabIndex={0} aria-label={`Schema of ${key ?? ''}`}>
        {jsonText(schema, 2)}
      </pre>
      <Violations id={id} />
    </section>
  ));
}
