import { Button, Group, Stack } from '@mantine/core';
import { Pencil1Icon, ReloadIcon } from '@radix-ui/react-icons';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useDisclosure } from '@mantine/hooks';
import { ApiError } from '@muster/api-types';
import { kindWords } from '../../api/kinds';
import { present } from '../../app/search-params';
import { PageTitle } from '../../components/page-title';
import { Member, Members } from '../../components/resource-members';
import { RouteLink } from '../../components/resource-link';
import { ResourceProject } from '../../components/resource-project';
import { ErrorState, LoadingState } from '../../components/states';
import { VariableKeyLink } from '../../components/variable-key-link';
import { VariableValue } from '../../components/variable-value';
import { AuditResult } from './audit-result';
import { AuditForm } from './lazy-forms';
import { auditQuery, pastRunsQuery, runQuery, type Audit } from '../../api/audits';
import { jsonText } from '../../api/exact-json';
import { collectionsOf, expectedText, filterTexts, searchOf, searchOfPassing } from './audit-texts';

const route = getRouteApi('/signed-in/audits/$id');

/** One audit: what it expects, its last runs, and the devices that fail now. The first visit runs it. */
export function AuditPage() {
  const id = Number(route.useParams().id);
  if (!Number.isSafeInteger(id))
    return (
      <ErrorState
        isPage
        what="the audit"
        error={new ApiError(404, 'not_found', 'There is no such audit.', [], undefined)}
      />
    );
  return <LoadedAudit id={id} />;
}

function LoadedAudit({ id }: { readonly id: number }) {
  const { data: audit, error, refetch } = useQuery(auditQuery(id));
  if (error && !audit)
    return <ErrorState isPage error={error} what="the audit" onRetry={() => void refetch()} />;
  if (!audit) return <LoadingState what="the audit" />;
  return (
    <ResourceProject id={audit.project_id}>
      <AuditView key={id} audit={audit} />
    </ResourceProject>
  );
}

function AuditView({ audit }: { readonly audit: Audit }) {
  const queryClient = useQueryClient();
  const [isEditing, { open, close }] = useDisclosure(false);
  const part = route.useSearch();
  const navigate = route.useNavigate();
  const { data: pastRuns, error, refetch } = useQuery(pastRunsQuery(audit.id));
  const { id, name, description, kind, expectation } = audit;
  const filters = filterTexts(audit);
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <PageTitle title={`Audit ${name}`}>{name}</PageTitle>
        <Group gap="xs">
          <RouteLink to="/map" search={{ audit: id }} size="sm">
            Fleet map
          </RouteLink>
          <Button
            variant="default"
            leftSection={<ReloadIcon aria-hidden />}
            onClick={() => {
              void queryClient.resetQueries({ queryKey: runQuery(id).queryKey });
              // The result shows its error.
              void queryClient.infiniteQuery(runQuery(id)).catch(() => undefined);
              // A run is one of all its devices.
              void navigate({ search: {}, replace: true });
            }}
          >
            Run again
          </Button>
          <Button variant="default" leftSection={<Pencil1Icon aria-hidden />} onClick={open}>
            Edit
          </Button>
        </Group>
      </Group>
      <Members label="Audit">
        {description !== null && <Member name="Description">{description}</Member>}
        <Member name="Devices">
          {collectionsOf(kind).map((collection, i) => (
            <span key={collection}>
              {i > 0 && ', '}
              <RouteLink to="/devices" search={{ collection, ...searchOf(audit) }} size="sm">
                {kindWords(collection)}
                {filters.length > 0 && (
                  <>
                    {' '}
                    with <code>{filters.join(' and ')}</code>
                  </>
                )}
              </RouteLink>
            </span>
          ))}
        </Member>
        <Member name="Expected">
          <Expected audit={audit} />
        </Member>
        {'value' in expectation && (
          <Member name="Remediation sets">
            <VariableValue value={expectation.value} name={expectation.key} />
          </Member>
        )}
      </Members>
      {pastRuns ? (
        <AuditResult audit={audit} pastRuns={pastRuns} part={present(part)} />
      ) : error ? (
        <ErrorState error={error} what="the past runs" onRetry={() => void refetch()} />
      ) : (
        <LoadingState what="the past runs" />
      )}
      {isEditing && <AuditForm base={audit} onClose={close} />}
    </Stack>
  );
}

/**
 * What the audit expects, with a link to the audited devices that meet it: those of the first kind, if it checks all. No filter
 * finds those that meet a schema.
 */
function Expected({ audit }: { readonly audit: Audit }) {
  const { kind, expectation } = audit;
  if (expectation.schema !== undefined)
    return (
      <code>
        <VariableKeyLink name={expectation.key ?? ''} />: {jsonText(expectation.schema)}
      </code>
    );
  return (
    <RouteLink
      to="/devices"
      search={{ collection: collectionsOf(kind)[0], ...searchOfPassing(audit) }}
      size="sm"
    >
      <code>{expectedText(audit)}</code>
    </RouteLink>
  );
}
