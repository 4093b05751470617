/** Whether another version of the application was installed: the service no longer has the file that this code is in. */
export async function isReplaced(): Promise<boolean> {
  const { status } = await fetch(import.meta.url, { method: 'HEAD', cache: 'no-store' });
  return status === 404;
}
