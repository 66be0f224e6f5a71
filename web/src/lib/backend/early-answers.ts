/** What the first script of index.html has asked for while the others were arriving: see there. */
type Early = { token: string; at: number; asked: Record<string, Promise<Response>> };

declare global {
  interface Window {
    early?: Early;
  }
}

/** Later than this, what was asked at the start is not asked for the first page anymore, in ms. */
const FIRST_PAGE_MS = 10_000;

/** Whether something asked at the start waits to be taken. */
export const isAskedEarly = (): boolean => Object.keys(window.early?.asked ?? {}).length > 0;

/**
 * The answer to a call that was sent early with this very token; each is given once. Undefined where there is none or it went wrong: then the
 * call is sent as ever, and fails as ever. `body`: as it is sent.
 */
export async function takeEarlyAnswer(address: string, token: string, body = ''): Promise<Response | undefined> {
  const { early } = window;
  if (!early || early.token !== token) return undefined;
  const key = address + body;
  const asked = early.asked[key];
  delete early.asked[key];
  if (Date.now() - early.at > FIRST_PAGE_MS) return undefined;
  const response = await asked?.catch(() => undefined);
  return response?.ok ? response : undefined;
}
