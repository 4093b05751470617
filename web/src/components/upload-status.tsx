import { Progress, Text } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { uploadProgress } from '../api/upload';

const megabytes = new Intl.NumberFormat(undefined, {
  style: 'unit',
  unit: 'megabyte',
  maximumFractionDigits: 1,
});
const BYTES = 1_000_000;

/** How much of a file was sent, while it is being sent; then that the service is working on it. */
export function UploadStatus({ file }: { readonly file: Blob }) {
  const progress = useSyncExternalStore(uploadProgress.subscribe, uploadProgress.current);
  if (progress?.file !== file) return null;
  const { sent, size } = progress;
  const isSent = sent === size;
  return (
    <div>
      <Text size="sm" role="status">
        {isSent
          ? `All ${megabytes.format(size / BYTES)} were sent. The service checks them.`
          : `${megabytes.format(sent / BYTES)} of ${megabytes.format(size / BYTES)} were sent.`}
      </Text>
      <Progress value={size === 0 ? 100 : (sent / size) * 100} aria-label="Sent" />
    </div>
  );
}
