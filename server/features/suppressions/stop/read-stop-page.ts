import type { readStopPageEndpoint } from '#contract/calling/stop-page.ts';
import type { DataOf } from '#contract/endpoint.ts';
import { readSettings } from '#server/features/suppressions/settings.ts';
import type { PublicCtx } from '#server/http/context.ts';
import { textsOf } from '#server/mail/text-message.ts';

/** Reads what a stranger may know about the page. */
export async function readStopPage({ deps }: PublicCtx): Promise<DataOf<typeof readStopPageEndpoint>> {
  const { publicPage } = await readSettings(deps.db);
  return { open: publicPage, texts: publicPage && textsOf(deps) !== undefined };
}
