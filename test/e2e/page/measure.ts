import type { Page } from 'playwright-core';

/** What a page moved until it could be used. */
export type Weight = {
  /** Bytes over the wire, answers with their headers. */
  bytes: number;
  /** Path and bytes of each request, the heaviest first. */
  requests: { path: string; bytes: number }[];
  /** From the start of the navigation, in ms. */
  usableMs: number;
};

/**
 * Opens `path` in a tab that has nothing in its cache and weighs everything asked for before `usable` was there, by
 * what Chromium's network stack counted. Requests under way by then count in full.
 */
export async function weigh(page: Page, path: string, usable: string): Promise<Weight> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.enable');
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: false });
  await cdp.send('Network.clearBrowserCache');
  const asked = new Map<string, { path: string; at: number; bytes: number; done: boolean }>();
  cdp.on('Network.requestWillBeSent', ({ requestId, request, wallTime }) => {
    if (!request.url.startsWith('http')) return;
    const { pathname } = new URL(request.url);
    asked.set(requestId, { path: pathname, at: wallTime * 1000, bytes: 0, done: false });
  });
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const request = asked.get(requestId);
    if (request) Object.assign(request, { bytes: encodedDataLength, done: true });
  });
  // Frames may come late on a busy machine, and would let what is fetched afterwards count.
  await page.addInitScript(`{
    const look = () => {
      const found = document.querySelector(${JSON.stringify(usable)});
      if (!found || found.getClientRects().length === 0) return;
      globalThis.usableAt = performance.timeOrigin + performance.now();
      seen.disconnect();
    };
    const seen = new MutationObserver(look);
    seen.observe(document, { attributes: true, childList: true, subtree: true });
  }`);
  await page.goto(path);
  await page.locator(usable).first().waitFor();
  const usableAt = Number(await page.waitForFunction('globalThis.usableAt').then((handle) => handle.jsonValue()));
  const begun = await page.evaluate<number>('performance.timeOrigin');
  const counted = () => [...asked.values()].filter(({ at }) => at < usableAt);
  while (counted().some(({ done }) => !done)) await page.waitForTimeout(50);
  await cdp.detach();
  const requests = counted().map(({ path: pathname, bytes }) => ({ path: pathname, bytes }));
  return {
    bytes: requests.reduce((sum, { bytes }) => sum + bytes, 0),
    requests: requests.sort((a, b) => b.bytes - a.bytes),
    usableMs: usableAt - begun,
  };
}
