import { useClouds } from '../api/places';

/** The name of a cloud. */
export const CloudName = ({ id }: { readonly id: number }) => <>{useClouds().cloudName(id)}</>;
