import { queryOptions } from '@tanstack/react-query';
import { resolvesToText } from '../api/variable-keys';
import { parseVariablePath } from './variable-path';

/**
 * Whether devices of the project have texts in a variable.
 * @param variable its key; of what is no key, or of a part of a variable, nothing is read
 */
export const resolvesToTextQuery = (projectId: string, variable: string, isEnabled: boolean) => {
  const path = parseVariablePath(variable);
  return queryOptions({
    queryKey: ['variable-keys', projectId, path?.text ?? '', 'resolves-to-text'],
    queryFn: () => (path?.steps.length === 0 ? resolvesToText(projectId, path) : false),
    enabled: isEnabled,
    staleTime: 60_000,
    retry: false,
  });
};
