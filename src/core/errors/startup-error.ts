/**
 * An expected reason why the program cannot start. The message says what is wrong and what to do. It is printed without
 * a stack trace.
 */
export class StartupError extends Error {
  override readonly name = 'StartupError';
}
