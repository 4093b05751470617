import { Button, CopyButton, Stack } from '@mantine/core';
import { jsonText } from '../../api/exact-json';
import type { DeviceView } from './device-members';
import classes from './device-page.module.css';

/** The device as the API responds, with its own variables. */
export function DeviceRaw({ device }: { readonly device: DeviceView }) {
  const text = jsonText(device, 2);
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
