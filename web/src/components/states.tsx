import { Button, Center, Code, Group, Loader, Stack, Text, Title } from '@mantine/core';
import {
  CrossCircledIcon,
  LinkBreak2Icon,
  LockClosedIcon,
  MagnifyingGlassIcon,
  QuestionMarkCircledIcon,
} from '@radix-ui/react-icons';
import type { ReactNode } from 'react';
import { ApiError, NetworkError } from '@muster/api-types';
import { isStatus } from '../api/errors';
import { Notice } from './notice';
import { PageTitle } from './page-title';

interface StateProps {
  readonly icon: ReactNode;
  readonly title: string;
  /** What to do next. */
  readonly children: ReactNode;
  readonly requestId?: string | undefined;
  readonly action?: ReactNode;
  /** Whether it is shown instead of a whole page, whose heading it is then. */
  readonly isPage?: boolean | undefined;
}

function State({ icon, title, children, requestId, action, isPage = false }: StateProps) {
  return (
    <Center p="xl">
      <Stack align="center" gap="xs" maw={460} ta="center">
        {icon}
        {isPage ? <PageTitle title={title} /> : <Title order={2}>{title}</Title>}
        <Text component="div" size="sm" c="dimmed">
          {children}
        </Text>
        {action}
        {requestId !== undefined && (
          <Text size="xs" c="dimmed">
            Request id <Code>{requestId}</Code>
          </Text>
        )}
      </Stack>
    </Center>
  );
}

const ICON = { width: 28, height: 28, color: 'var(--text-dimmed)', 'aria-hidden': true };

/** While something is read for the first time. */
export function LoadingState({ what }: { readonly what: string }) {
  return (
    <Center p="xl" role="status">
      <Group gap="sm">
        <Loader size="sm" aria-hidden />
        <Text size="sm" c="dimmed">
          Loading {what}…
        </Text>
      </Group>
    </Center>
  );
}

/** Nothing to show. @param children what to do next */
export function EmptyState({ title, children, action, isPage }: Omit<StateProps, 'icon'>) {
  return (
    <State icon={<MagnifyingGlassIcon {...ICON} />} title={title} action={action} isPage={isPage}>
      {children}
    </State>
  );
}

interface ErrorProps {
  readonly error: unknown;
  /** What was read, as in "Could not load the devices". */
  readonly what: string;
  readonly onRetry?: (() => void) | undefined;
  readonly isPage?: boolean;
}

/** Any failure: forbidden, not found, offline, or another error. Each says what to do next. */
export function ErrorState({ error, what, onRetry, isPage }: ErrorProps) {
  const retry = onRetry && <Button onClick={onRetry}>Try again</Button>;
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  if (error instanceof NetworkError)
    return (
      <State
        isPage={isPage}
        icon={<LinkBreak2Icon {...ICON} />}
        title="The service cannot be reached"
        action={retry}
      >
        Check your network connection, or ask whether Muster is running. What you entered is still here.
      </State>
    );
  if (isStatus(error, 403))
    return (
      <State
        isPage={isPage}
        icon={<LockClosedIcon {...ICON} />}
        title="You may not see this"
        requestId={requestId}
      >
        {error.message} An admin of the project can give you the role.
      </State>
    );
  if (isStatus(error, 404))
    return (
      <State
        isPage={isPage}
        icon={<QuestionMarkCircledIcon {...ICON} />}
        title="Not found"
        requestId={requestId}
      >
        {error.message}{' '}
        {error.detail('at') === undefined
          ? 'It may have been deleted, or belong to another project.'
          : 'Choose a later time.'}
      </State>
    );
  const message = error instanceof Error ? error.message : String(error);
  return (
    <State
      isPage={isPage}
      icon={<CrossCircledIcon {...ICON} />}
      title={`Could not load ${what}`}
      requestId={requestId}
      action={retry}
    >
      {message}
    </State>
  );
}

/** An error within a form or dialog. */
export function ErrorAlert({ error }: { readonly error: unknown }) {
  const message = error instanceof Error ? error.message : String(error);
  return (
    <Notice kind="error">
      {message}
      <RequestId error={error} />
    </Notice>
  );
}

/** The id by which the service's log names a request that failed, if it is known. */
export const RequestId = ({ error }: { readonly error: unknown }) =>
  error instanceof ApiError && error.requestId !== undefined ? (
    <Text size="xs" mt={4}>
      Request id <Code>{error.requestId}</Code>
    </Text>
  ) : null;
