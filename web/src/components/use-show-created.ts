import { useNavigate } from '@tanstack/react-router';
import { pageOf } from './resource-link';

/**
 * Returns a function that opens the page of what a write has created, if its response has one resource.
 * @param replace whether it replaces the former page in the history
 */
export function useShowCreated(kind: string, replace = false): (body: unknown) => void {
  const navigate = useNavigate();
  return (body) => {
    const page = isResource(body) && pageOf({ kind, id: body.id, name: null });
    if (page) void navigate({ ...page, replace });
  };
}

const isResource = (body: unknown): body is { readonly id: number } =>
  typeof body === 'object' && body !== null && 'id' in body && typeof body.id === 'number';
