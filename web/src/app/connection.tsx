import { Button, Group } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { NetworkError } from '@muster/api-types';
import { isReplaced } from '../api/installed-version';
import { readSignInMethods } from '../api/session';
import { Notice } from '../components/notice';

/** How often (ms) the service is tried again while it cannot be reached. */
const RETRY_INTERVAL = 3_000;

/**
 * Says that the service cannot be reached, and reads again what is shown once it can. Whether it can is known by its responses:
 * a browser that is online may still not reach it.
 */
export function Connection() {
  const queryClient = useQueryClient();
  const [isLost, setLost] = useState(!navigator.onLine);
  useEffect(() => {
    const onLost = () => {
      setLost(true);
    };
    const onError = (error: unknown) => {
      if (error instanceof NetworkError) onLost();
    };
    const unsubscribe = [
      queryClient.getQueryCache().subscribe((event) => {
        // Also a failure after which the request is sent again.
        if (event.type === 'updated' && (event.action.type === 'failed' || event.action.type === 'error'))
          onError(event.action.error);
      }),
      queryClient.getMutationCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'error') onError(event.action.error);
      }),
    ];
    addEventListener('offline', onLost);
    return () => {
      removeEventListener('offline', onLost);
      for (const stop of unsubscribe) stop();
    };
  }, [queryClient]);
  useEffect(() => {
    if (!isLost) return undefined;
    const abort = new AbortController();
    const tryAgain = () => {
      // It needs no session, and does not prolong one. An error of the service is a response, too.
      readSignInMethods(abort.signal)
        .catch((error: unknown) => {
          if (error instanceof NetworkError || abort.signal.aborted) throw error;
        })
        .then(
          async () => {
            setLost(false);
            // What has failed is not being read for the first time: no `readAgain`.
            await queryClient.invalidateQueries({ predicate: ({ state }) => state.status === 'error' });
          },
          () => undefined,
        );
    };
    const timer = setInterval(tryAgain, RETRY_INTERVAL);
    addEventListener('online', tryAgain);
    return () => {
      abort.abort();
      clearInterval(timer);
      removeEventListener('online', tryAgain);
    };
  }, [isLost, queryClient]);
  if (!isLost) return null;
  return (
    <Notice kind="warning" title="The service cannot be reached">
      What you entered stays. This page goes on by itself as soon as the service responds again.
    </Notice>
  );
}

/** How often (ms) the page asks whether its files are still those of the service. */
const VERSION_INTERVAL = 300_000;

/** Offers to load the page of a version that was installed after it was opened: its files have other names. */
export function NewVersion() {
  const [isOutdated, setOutdated] = useState(false);
  useEffect(() => {
    if (isOutdated) return undefined;
    let checked = Date.now();
    const check = () => {
      if (document.hidden || Date.now() - checked < VERSION_INTERVAL) return;
      checked = Date.now();
      isReplaced().then(setOutdated, () => undefined);
    };
    const onLoadError = () => {
      isReplaced().then(setOutdated, () => undefined);
    };
    const timer = setInterval(check, VERSION_INTERVAL);
    document.addEventListener('visibilitychange', check);
    addEventListener('vite:preloadError', onLoadError);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', check);
      removeEventListener('vite:preloadError', onLoadError);
    };
  }, [isOutdated]);
  if (!isOutdated) return null;
  return (
    <Notice kind="info">
      <Group justify="space-between" gap="xs">
        <span>A new version of Muster was installed.</span>
        <Button
          variant="default"
          onClick={() => {
            location.reload();
          }}
        >
          Load the new version
        </Button>
      </Group>
    </Notice>
  );
}
