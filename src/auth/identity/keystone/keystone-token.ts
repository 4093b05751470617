import { z } from 'zod';
import { parseUuid } from '../../../core/parse-id';

const domain = z.object({ id: z.string(), name: z.string() });
const named = z.object({ id: z.string().min(1), name: z.string().min(1), domain });

/** What Keystone says of a token, as far as it matters here. */
const answer = z.object({
  token: z.object({
    user: named,
    expires_at: z.iso.datetime().transform((text) => Date.parse(text)),
    project: named.optional(),
    domain: domain.optional(),
    system: z.unknown().optional(),
    /** Whether the project is a domain that acts as one. */
    is_domain: z.boolean().optional(),
    roles: z.array(z.object({ name: z.string() })).default([]),
  }),
});

/** A user or a project, as Keystone knows it. */
export interface Known {
  readonly id: string;
  readonly name: string;
  readonly domain: { readonly id: string; readonly name: string };
}

/** A token for what somebody does in a project. */
export interface ScopedToken {
  readonly user: Known;
  /** Its id is a UUID, as projects have it here. */
  readonly project: Known;
  readonly roles: readonly string[];
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** A token that is valid, and for nothing that there is here. */
export interface OtherToken {
  /** What it is for, as the end of a sentence that begins with "it is". */
  readonly scope: string;
  readonly expiresAt: number;
}

export type KeystoneToken = ScopedToken | OtherToken;

/**
 * Reads what Keystone says of a token that it has found to be valid.
 * @returns undefined if it is not what Keystone says
 */
export function parseToken(text: string): KeystoneToken | undefined {
  const said = answer.safeParse(parsed(text));
  if (!said.success) return undefined;
  const { user, project, domain: ofDomain, system, is_domain, roles, expires_at } = said.data.token;
  const id = project && is_domain !== true ? parseUuid(project.id) : undefined;
  if (project && id !== undefined)
    return { user, project: { ...project, id }, roles: roles.map(({ name }) => name), expiresAt: expires_at };
  return { scope: scopeOf({ ofDomain: ofDomain ?? project, system }), expiresAt: expires_at };
}

function scopeOf({ ofDomain, system }: { readonly ofDomain: unknown; readonly system: unknown }): string {
  if (system !== undefined) return 'for the whole system';
  return ofDomain === undefined ? 'for nothing in particular' : 'for a domain';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: then it is no answer of Keystone's, which is what the caller finds out.
    return undefined;
  }
}
