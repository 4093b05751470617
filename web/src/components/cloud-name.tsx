import { useClouds } from '../api/locations';
import { ResourceLink } from './resource-link';

/** The name of a cloud, with a link to its page. */
export const CloudName = ({ id }: { readonly id: number }) => (
  <ResourceLink kind="cloud" id={id} name={useClouds().cloudName(id)} />
);
