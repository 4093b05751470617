/** What the system says of a file that cannot be used, without its code: `no space left on device`. */
export function systemReason(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if (!('code' in error) || !('message' in error)) return undefined;
  return /^E[A-Z0-9]+: ([^,]+)/.exec(String(error.message))?.[1];
}
