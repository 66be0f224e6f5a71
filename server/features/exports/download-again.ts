import { sql } from 'kysely';
import type { z } from 'zod/mini';
import type { DataOf } from '#contract/endpoint.ts';
import type { downloadAgainEndpoint } from '#contract/work/exports/download-again.ts';
import { EXPORTS_BUCKET, exportFolder } from '#contract/work/exports/export-archive.ts';
import { inTransaction } from '#db/connection/tx.ts';
import { appendEvidence } from '#server/evidence/append-evidence.ts';
import { evidenceVault } from '#server/evidence/evidence-vault.ts';
import { whyKept } from '#server/exports/held-since.ts';
import type { Ctx } from '#server/http/context.ts';
import { AppError, notFound } from '#server/lib/app-error.ts';

/**
 * Says whether one of the caller's kept files may be saved once more, and writes down that it is.
 * @throws NOT_FOUND
 * @throws CONFLICT when it holds contacts that were suppressed or erased since.
 */
export async function downloadAgain(
  { deps: { db, vault }, user }: Ctx,
  { listId, name }: z.output<typeof downloadAgainEndpoint.body>,
): Promise<DataOf<typeof downloadAgainEndpoint>> {
  const path = `${exportFolder(user.userId, listId)}/${name}`;
  const { rows } = await sql<{ export: string | null; sandbox: boolean | null }>`
    select object.user_metadata ->> 'exportId' as export, list.sandbox
    from storage.objects as object join public.lists as list on list.id = ${listId}::uuid and list.user_id = ${user.userId}
    where object.bucket_id = ${EXPORTS_BUCKET} and object.name = ${path}
  `.execute(db);
  const [file] = rows;
  if (!file) throw notFound('This file');
  const why = await whyKept(db, path);
  if (why) throw new AppError('CONFLICT', why);
  const evidence = await evidenceVault(db, vault);
  const facts = { export: file.export ?? '', file: name, sandbox: file.sandbox ?? false };
  await inTransaction(db, (tx) =>
    appendEvidence(tx, evidence, [{ kind: 'export.again', actor: user.userId, list: listId, facts, parts: [] }]),
  );
  return { allowed: true };
}
