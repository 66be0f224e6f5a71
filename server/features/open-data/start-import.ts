import { join } from 'node:path';
import type { startImportEndpoint } from '#contract/admin/open-data.ts';
import type { DataOf } from '#contract/endpoint.ts';
import { writeAudit } from '#server/audit/write-audit.ts';
import type { Ctx } from '#server/http/context.ts';
import type { Input } from '#server/http/route.ts';
import { AppError } from '#server/lib/app-error.ts';
import type { Order } from '#server/open-data/load/order.ts';
import { UnreadableFile } from '#server/open-data/read/chunk.ts';
import { sourceName } from '#server/open-data/sources.ts';

/**
 * Starts loading files of the folder.
 * @throws VALIDATION_FAILED, which says what is wrong with them.
 */
export async function startImport(
  ctx: Ctx,
  { body }: Input<typeof startImportEndpoint>,
): Promise<DataOf<typeof startImportEndpoint>> {
  const { db, importer } = ctx.deps;
  const there = new Set((await importer.files()).map(({ name }) => name));
  const missing = body.files.find((name) => !there.has(name));
  if (missing !== undefined) throw new AppError('VALIDATION_FAILED', `${missing} is not in the folder for open data.`);
  if (body.source !== undefined && sourceName(body.source) !== body.source)
    throw new AppError(
      'VALIDATION_FAILED',
      `${sourceName(body.source)} is told by its files. Call another source otherwise.`,
    );
  const order: Order = { ...body, files: body.files.map((name) => join(importer.folder, name)) };
  await importer.start(order, ctx.user.userId).catch((error: unknown) => {
    throw error instanceof UnreadableFile
      ? new AppError('VALIDATION_FAILED', error.message.replaceAll(`${importer.folder}/`, ''))
      : error;
  });
  await writeAudit(db, ctx, { action: 'open_data.loaded', target: body.files.join(', ').slice(0, 200) });
  return { started: true };
}
