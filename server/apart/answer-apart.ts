import type { Context } from 'hono';
import type { Endpoint } from '#contract/endpoint.ts';
import type { Ctx } from '#server/http/context.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { isLong } from './is-long.ts';

/**
 * Has a request whose work may be long answered in a process of its own. Called once its caller is known and counted.
 * Returns undefined for what is done here: all that is short, and everything where there is no such process.
 */
export async function answerApart(
  endpoint: Endpoint,
  { deps: { db, apart }, user, requestId, ip, signal }: Ctx,
  input: { query: unknown; body: unknown },
  c: Context<HttpEnv>,
): Promise<Response | undefined> {
  if (!apart || !endpoint.growsWith) return undefined;
  const text = endpoint.body ? await c.req.text() : undefined;
  if (!(await isLong(db, endpoint, user.userId, { ...input, text }))) return undefined;
  const { pathname, search } = new URL(c.req.url);
  const answer = await apart.answer({
    method: endpoint.method,
    path: pathname + search,
    body: text,
    told: { requestId, ip, user },
    signal,
  });
  // Whole, so that it can be compressed. Files go on as they come.
  return answer && isFile(answer) ? answer : answer && new Response(await answer.arrayBuffer(), answer);
}

const isFile = ({ headers }: Response): boolean => headers.has('content-disposition');
