import { createHash, randomBytes } from 'node:crypto';
import { parseUuid } from '../../core/parameters';

/** Where a session is stored. It contains no secret. */
export interface SessionAddress {
  /** The home project of the user. */
  readonly projectId: string;
  /** SHA-256 of the secret, in hexadecimal digits. It is sufficient because the secret has 256 random bits. */
  readonly tokenHash: string;
}

/** A new session token, `<project without dashes>.<secret>`, and where its session is stored. */
export interface NewSessionToken extends SessionAddress {
  readonly token: string;
}

const TOKEN_PATTERN = /^([0-9a-f]{32})\.([A-Za-z0-9_-]{43})$/;

const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');

export function generateSessionToken(projectId: string): NewSessionToken {
  const secret = randomBytes(32).toString('base64url');
  return {
    token: `${projectId.replaceAll('-', '')}.${secret}`,
    projectId,
    tokenHash: hashSecret(secret),
  };
}

/** @returns undefined if the text is not a session token */
export function parseSessionToken(text: string): SessionAddress | undefined {
  const [, project = '', secret] = TOKEN_PATTERN.exec(text) ?? [];
  const projectId = parseUuid(project);
  if (projectId === undefined || secret === undefined) return undefined;
  return { projectId, tokenHash: hashSecret(secret) };
}

/** The address as one text. */
export const addressText = ({ projectId, tokenHash }: SessionAddress): string => `${projectId} ${tokenHash}`;

export function parseAddress(text: string): SessionAddress {
  const [projectId = '', tokenHash = ''] = text.split(' ');
  return { projectId, tokenHash };
}
