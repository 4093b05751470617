/**
 * An expected reason why the program cannot start. Its message is one sentence for a person: what is wrong
 * and what to do. Whoever catches it prints the message alone; a stack trace would only hide it.
 */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}
