import type { Page } from 'playwright-core';
import type { Journey } from './journey.ts';
import type { Session } from './site.ts';

/** Opens a page whose server fails as it is told to. */
export async function openWithFailures(journey: Journey, session: Session, path: string): Promise<Page> {
  const visitor = await journey.visit({ session });
  visitor.expectFailure(/^([45]\d\d|net::ERR_\w+) /);
  await visitor.page.goto(path);
  return visitor.page;
}
