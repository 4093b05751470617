/** Whether another version of the application was installed: the service no longer has the file that this code is in. */
export async function isReplaced(): Promise<boolean> {
  const { status } = await fetch(import.meta.url, { method: 'HEAD', cache: 'no-store' });
  return status === 404;
}

/** Identifies this version, for the tab. */
const RELOADED = `muster.reloaded:${import.meta.url}`;

/**
 * Loads the page again if another version was installed, but only once for each version: while an update replaces one replica of the
 * service after the other, the page may come from an old one, and its files be asked of a new one.
 * @throws TypeError if the service is away
 */
export async function reloadIfReplaced(): Promise<void> {
  if (sessionStorage.getItem(RELOADED) !== null || !(await isReplaced())) return;
  sessionStorage.setItem(RELOADED, 'true');
  location.reload();
}
