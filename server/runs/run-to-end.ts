import type { ListRunKind } from '#contract/work/runs.ts';
import type { Ctx } from '#server/http/context.ts';
import { AppError } from '#server/lib/app-error.ts';
import { awaitRun } from './await-run.ts';
import { isUuid, ownRun } from './rows.ts';
import type { RunRow } from './run-context.ts';

/** What a run is about: a list, or what its owner calls a place or an area. */
type About = { kind: ListRunKind; listId: string } | { kind: 'place' | 'survey'; name: string };

/** A request for a run. `begun`: the run that this same request began at another process. */
type Asked = About & { begun: string | undefined };

/**
 * Starts a run by `start`, which returns its id, and returns its row when it has ended.
 * - The run that the request has begun is waited for, whatever its state, and none is started.
 * @throws what `start` and awaitRun throw.
 * @throws BAD_REQUEST or NOT_FOUND when that is no run of the caller's about the same.
 */
export async function runToEnd(ctx: Ctx, asked: Asked, start: () => Promise<string>): Promise<RunRow> {
  return (await toEnd(ctx, asked, start, async () => undefined)).run;
}

/** The same, and returns what `read` reads once the run has completed. */
export async function readAtEnd<T>(
  ctx: Ctx,
  asked: Asked,
  start: () => Promise<string>,
  read: () => Promise<T>,
): Promise<T> {
  return (await toEnd(ctx, asked, start, read)).read;
}

function toEnd<T>(ctx: Ctx, asked: Asked, start: () => Promise<string>, read: () => Promise<T>) {
  const { begun } = asked;
  const begin = async (): Promise<string> => {
    const runId = begun === undefined ? await start() : await idOf(ctx, asked, begun);
    ctx.tellRun?.(runId);
    return runId;
  };
  return awaitRun(ctx, begin, { read, mayHaveEnded: begun !== undefined });
}

async function idOf({ deps, user }: Ctx, about: About, begun: string): Promise<string> {
  if (!isUuid(begun)) throw new AppError('BAD_REQUEST', `The run in the address is not a run id. ${WITHOUT_IT}`);
  const run = await ownRun(deps.db, user.userId, begun);
  if (!isAbout(run, about))
    throw new AppError('BAD_REQUEST', `The run in the address belongs to a different request. ${WITHOUT_IT}`);
  return run.id;
}

const WITHOUT_IT = 'Send the request without it to start one.';

/** Its list is named by the key that stays when the list is gone. */
function isAbout({ kind, list_key, list_name }: RunRow, about: About): boolean {
  if (kind !== about.kind) return false;
  return 'name' in about ? list_name === about.name : list_key === about.listId.toLowerCase();
}
