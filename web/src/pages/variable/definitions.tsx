import { Button, Text, Title } from '@mantine/core';
import { PlusIcon } from '@radix-ui/react-icons';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { definitionsQuery, describesKey } from '../../api/variable-definitions';
import { isAdmin, sessionQuery } from '../../api/session';
import { useProjectId } from '../../app/use-project';
import { jsonText } from '../../api/exact-json';
import { lazyDialog, preloading } from '../../components/lazy-component';
import { EmptyState, ErrorState, LoadingState } from '../../components/states';
import classes from './variable-page.module.css';
import { Violations } from './violations';

const DefinitionForm = lazyDialog(() =>
  import('../../components/definition-form').then(({ DefinitionForm: form }) => form),
);

interface Props {
  readonly name: string;
  /** Whether the form of a new definition is open: a search parameter. */
  readonly isDefining: boolean;
  readonly onDefine: (isDefining: boolean) => void;
}

/** The definitions that describe a key, each with the values that violate it; and the form of a new one. */
export function Definitions({ name, isDefining, onDefine }: Props) {
  return (
    <>
      <DefinitionList
        name={name}
        onDefine={() => {
          onDefine(true);
        }}
      />
      {isDefining && (
        <DefinitionForm
          base={undefined}
          initialKey={name}
          onClose={() => {
            onDefine(false);
          }}
        />
      )}
    </>
  );
}

interface ListProps {
  readonly name: string;
  readonly onDefine: () => void;
}

function DefinitionList({ name, onDefine }: ListProps) {
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
          <Button
            {...preloading(DefinitionForm)}
            variant="default"
            leftSection={<PlusIcon aria-hidden />}
            onClick={onDefine}
          >
            Create a definition
          </Button>
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
