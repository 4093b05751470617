import { useClouds } from '../api/locations';

/** The name of a cloud. */
export const CloudName = ({ id }: { readonly id: number }) => <>{useClouds().cloudName(id)}</>;
