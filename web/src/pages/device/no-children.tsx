import { EmptyState } from '../../components/states';

/** Shown for a device that is no device's parent. */
export const NoChildren = ({ name }: { readonly name: string }) => (
  <EmptyState title="No children">
    No device has this one as its parent. To put a device below {name}, edit that device, and choose {name} as
    its parent.
  </EmptyState>
);
