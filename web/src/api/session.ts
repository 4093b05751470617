import { queryOptions } from '@tanstack/react-query';
import type { components } from '@muster/api-types';
import { api, unwrap } from './client';
import { send } from './request';

/** Who is signed in, in the project of the page if the session can enter it. @throws ApiError with status 401 if there is no session */
export const readSession = (signal?: AbortSignal) => unwrap(api.GET('/v1/session', signal ? { signal } : {}));

/**
 * Whether two sessions are of one user. A user of an identity provider has another id in each project, but usually the same
 * name.
 */
export const isSameUser = (a: Session, b: Session): boolean =>
  a.project.id === b.project.id ? a.user.id === b.user.id : a.user.username === b.user.username;

/** The current session. Fails with status 401 if there is none. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => readSession(signal),
  staleTime: 60_000,
});

type Session = components['schemas']['Session'];

/** Whether the user may administer the project. */
export const isAdmin = ({ user }: Session): boolean => user.is_admin || user.is_root;

/** The rights of the user in short. */
export const rightsOf = ({ user: { is_root, is_admin, roles } }: Session): string =>
  is_root ? 'root' : is_admin ? 'admin' : roles.length > 0 ? roles.join(', ') : 'reader';

export const readSignInMethods = (signal: AbortSignal) => unwrap(api.GET('/v1/sign-in', { signal }));

/** How this service lets people sign in. */
export const signInMethodsQuery = queryOptions({
  queryKey: ['sign-in'],
  queryFn: ({ signal }) => readSignInMethods(signal),
  staleTime: Infinity,
});

/** Starts a session. @throws ApiError with status 401 for a wrong key */
export const startSession = (apiKey: string) =>
  unwrap(api.POST('/v1/session', { headers: { authorization: `Bearer ${apiKey}` } }));

/** Continues the session in another project. The former cookie is not valid after that. */
export const enterProject = (project_id: string) => unwrap(api.PUT('/v1/session', { body: { project_id } }));

/** Ends the session. @returns the page of the identity provider that signs out there, too */
export async function endSession(): Promise<string | undefined> {
  const { body } = await send({ method: 'DELETE', path: '/v1/session' });
  return isProviderSignOut(body) ? body.sign_out_url : undefined;
}

const isProviderSignOut = (body: unknown): body is { readonly sign_out_url: string } =>
  typeof body === 'object' &&
  body !== null &&
  'sign_out_url' in body &&
  typeof body.sign_out_url === 'string';
