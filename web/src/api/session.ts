import { queryOptions } from '@tanstack/react-query';
import { send } from './request';

/** A project that the session can enter. */
export interface ProjectReference {
  readonly id: string;
  readonly name: string;
}

/** Who is signed in, and where. */
export interface Session {
  readonly user: {
    readonly id: number;
    readonly username: string;
    readonly is_admin: boolean;
    readonly is_root: boolean;
    readonly roles: readonly string[];
  };
  readonly project: ProjectReference;
  readonly projects: readonly ProjectReference[];
  readonly expires_at: string;
}

export interface SignInMethods {
  readonly methods: readonly string[];
  readonly oidc_name: string | null;
}

/** The current session. Fails with status 401 if there is none. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }) => (await send({ method: 'GET', path: '/v1/session' }, signal)).body as Session,
  staleTime: 60_000,
});

/** How this service lets people sign in. */
export const signInMethodsQuery = queryOptions({
  queryKey: ['sign-in'],
  queryFn: async ({ signal }) =>
    (await send({ method: 'GET', path: '/v1/sign-in' }, signal)).body as SignInMethods,
  staleTime: Infinity,
});

export const startSession = (apiKey: string) =>
  send({ method: 'POST', path: '/v1/session', headers: { authorization: `Bearer ${apiKey}` } });

export const enterProject = (id: string) =>
  send({ method: 'PUT', path: '/v1/session', body: JSON.stringify({ project_id: id }) });

/** Ends the session. @returns the page of the identity provider that signs out there, too */
export async function endSession(): Promise<string | undefined> {
  const { body } = await send({ method: 'DELETE', path: '/v1/session' });
  return (body as { readonly sign_out_url: string } | undefined)?.sign_out_url;
}
