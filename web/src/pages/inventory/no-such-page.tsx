import { ApiError } from '@muster/api-types';
import { ErrorState } from '../../components/states';

/** For an address that names no collection, or no id. */
export const NoSuchPage = () => (
  <ErrorState
    isPage
    what="the page"
    error={new ApiError(404, 'not_found', 'There is no such page.', [], undefined)}
  />
);
