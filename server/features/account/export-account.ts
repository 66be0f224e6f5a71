import { sql } from 'kysely';
import { exportFileName } from '#contract/account/account.ts';
import type { Db } from '#db/connection/client.ts';
import { writeAudit } from '#server/audit/write-audit.ts';
import type { Deps } from '#server/deps.ts';
import type { Ctx } from '#server/http/context.ts';
import type { Download } from '#server/http/download.ts';
import { leadsPage, listsPage, pagesOf, SECTIONS } from './export-sections.ts';

/** Everything that is stored about the caller, as one JSON object: keys masked, the rest as it is. */
export function exportAccount(ctx: Ctx): Download {
  const now = new Date();
  return { fileName: exportFileName(now), type: 'application/json', parts: partsOf(ctx, now) };
}

async function* partsOf(ctx: Ctx, now: Date): AsyncGenerator<string> {
  const { db, accounts } = ctx.deps;
  const { userId } = ctx.user;
  await writeAudit(db, ctx, { action: 'account.exported', target: userId });
  yield `{\n"exportedAt": "${now.toISOString()}",\n"account": ${await accountOf(ctx.deps, userId)}`;
  for (const { name, page, ofOwnBackend } of SECTIONS) {
    if (ofOwnBackend && !accounts.keepsSessions) continue;
    yield `,\n"${name}": [`;
    let before = '\n';
    for await (const rows of pagesOf(db, page, userId)) {
      yield before + rows.map((row) => row.json).join(',\n');
      before = ',\n';
    }
    yield '\n]';
  }
  yield* listsOf(db, userId);
  yield '\n}\n';
}

async function* listsOf(db: Db, userId: string): AsyncGenerator<string> {
  yield ',\n"lists": [';
  let beforeList = '\n';
  for await (const lists of pagesOf(db, listsPage, userId)) {
    for (const { json, key } of lists) {
      yield `${beforeList}${json.slice(0, -1)}, "leads": [`;
      beforeList = ',\n';
      let beforeLead = '\n';
      for await (const leads of pagesOf(db, leadsPage, key[0] ?? '')) {
        yield beforeLead + leads.map((lead) => lead.json).join(',\n');
        beforeLead = ',\n';
      }
      yield ']}';
    }
  }
  yield '\n]';
}

async function accountOf({ db, accounts }: Deps, userId: string): Promise<string> {
  const metadata = JSON.stringify(await accounts.metadataOf(userId));
  const { rows } = await sql<{ json: string }>`
    select (to_jsonb(profile) || jsonb_build_object('user_metadata', ${metadata}::jsonb))::text as json
    from app.profiles as profile where user_id = ${userId}
  `.execute(db);
  return rows[0]?.json ?? 'null';
}
