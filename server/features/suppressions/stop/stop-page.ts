import type { stopPageEndpoint } from '#contract/calling/stop-page.ts';
import type { DataOf } from '#contract/endpoint.ts';
import { readSettings } from '#server/features/suppressions/settings.ts';
import type { PublicCtx } from '#server/http/context.ts';
import { textsOf } from '#server/mail/text-message.ts';

/** What a stranger may know of the page. */
export async function stopPage({ deps }: PublicCtx): Promise<DataOf<typeof stopPageEndpoint>> {
  const { publicPage } = await readSettings(deps.db);
  return { open: publicPage, texts: publicPage && textsOf(deps) !== undefined };
}
