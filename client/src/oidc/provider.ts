import type { Configuration } from 'openid-client';
import { CliError, EXIT, usageError } from '../cli-error';

/** The OpenID provider of a service, and the client of this program there. */
export interface OidcClient {
  readonly issuer: string;
  readonly client_id: string;
}

type Library = typeof import('openid-client');

/** The library with the description of the provider. */
export interface Provider {
  readonly library: Library;
  readonly configuration: Configuration;
}

/** Reads the description of a provider. @throws CliError */
export async function connectProvider({ issuer, client_id }: OidcClient): Promise<Provider> {
  // Only these commands load the library.
  const library = await import('openid-client');
  if (!URL.canParse(issuer)) throw usageError(`The issuer ${JSON.stringify(issuer)} is not a URL.`);
  const configuration = await atProvider(issuer, () =>
    library.discovery(new URL(issuer), client_id, undefined, library.None()),
  );
  return { library, configuration };
}

/** Calls the provider. @throws CliError with what is wrong; nothing of it is secret */
export async function atProvider<T>(issuer: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const { AuthorizationResponseError, ResponseBodyError } = await import('openid-client');
    if (error instanceof ResponseBodyError || error instanceof AuthorizationResponseError)
      throw new ProviderError(issuer, error.error, error.error_description);
    if (!(error instanceof Error)) throw error;
    const { cause } = error;
    const reason = cause instanceof Error ? `${error.message}: ${cause.message}` : error.message;
    throw new CliError(`The OpenID provider ${issuer} cannot be used: ${reason}.`, EXIT.unavailable);
  }
}

/** The provider has rejected a request. */
export class ProviderError extends CliError {
  constructor(
    issuer: string,
    /** The code of OAuth: `access_denied`. */
    readonly code: string,
    description = '',
  ) {
    super(
      `The OpenID provider ${issuer} answers ${code}${description === '' ? '' : `: ${description}`}.`,
      EXIT.rejected,
    );
  }
}
