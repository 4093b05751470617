import { EmptyState } from '../../components/states';

/** Shown for a device that is no device's parent. */
export const NoChildren = ({ name }: { readonly name: string }) => (
  <EmptyState title="No children">
    No device has this one as its parent. Set the parent of a device with{' '}
    <code>muster host update … --parent {name}</code>.
  </EmptyState>
);
