import { AppError } from '#server/lib/app-error.ts';
import type { ListRecord } from '#server/runs/run-context.ts';

/** @throws CONFLICT when the leads of the list may still change. */
export function refuseWhileAtWork({ name, status }: ListRecord): void {
  if (status !== 'processing') return;
  throw new AppError('CONFLICT', `“${name}” is still being processed. Try again when that is done.`);
}
