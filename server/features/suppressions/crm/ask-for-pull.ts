import { sql } from 'kysely';
import type { CrmPull } from '#contract/calling/suppression-sources.ts';
import type { Ctx } from '#server/http/context.ts';
import { readPull } from './read-pull.ts';

/** Has the next process that looks pull the CRM's opt-outs. */
export async function askForPull({ deps: { db } }: Ctx): Promise<CrmPull> {
  await sql`update app.crm_pull set asked_at = now()`.execute(db);
  return readPull(db);
}
