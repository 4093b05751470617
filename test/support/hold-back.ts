import type { Page, Route } from 'playwright-core';

export const respond = (route: Route) => route.continue();

/** Holds back the requests of a page until the function that it returns is called. @param then what happens with them then */
export async function holdBack(page: Page, url: RegExp, then = respond): Promise<() => void> {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(url, async (route) => {
    await released;
    await then(route);
  });
  return release;
}
