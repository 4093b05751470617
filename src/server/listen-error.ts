import { StartupError } from '../core/errors/startup-error';

/** What keeps a port from being listened on, in a sentence, where it is known. */
export function portError(error: unknown, host: string, port: number, variable = 'PORT'): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return new StartupError(
      `The port ${String(port)} on ${host} is taken: stop what uses it, or set ${variable} to another.`,
    );
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new StartupError(`There is no host ${host} to listen on: set HOST to an address of this machine.`);
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL')
    return new StartupError(
      `${host}:${String(port)} cannot be listened on (${code}): set HOST and PORT to others.`,
    );
  return error;
}
