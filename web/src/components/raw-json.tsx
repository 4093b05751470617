import { Button, CopyButton, Stack } from '@mantine/core';
import { jsonText } from '../api/exact-json';
import classes from './raw-json.module.css';

/** A resource as the API responds, with its own variables. */
export function RawJson({ resource }: { readonly resource: unknown }) {
  const text = jsonText(resource, 2);
  return (
    <Stack gap="xs" align="stretch">
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Button variant="default" onClick={copy} style={{ alignSelf: 'flex-start' }}>
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </CopyButton>
      <pre className={classes.json} tabIndex={0} aria-label="JSON">
        {text}
      </pre>
    </Stack>
  );
}
