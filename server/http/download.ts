import type { Hono } from 'hono';
import type { Endpoint } from '#contract/endpoint.ts';
import { CallerGone, whileAsked } from '#db/cancel/while-asked.ts';
import type { RequestLimit } from '#db/limits/count-requests.ts';
import { answerApart } from '#server/apart/answer-apart.ts';
import type { Deps } from '#server/deps.ts';
import { API_LIMITS } from '#server/limits/api-limits.ts';
import type { Ctx } from './context.ts';
import type { HttpEnv } from './http-env.ts';
import { callOf, type Input } from './route.ts';

/** `parts` are made one at a time, as fast as the caller takes them. `headers`: more than the name and type of the file. */
export type Download = {
  fileName: string;
  type: string;
  parts: AsyncGenerator<string | Uint8Array>;
  headers?: Readonly<Record<string, string>>;
};

/** Serves a file to those whom the contract names. A failure after its first part breaks the connection, so that half a file is not taken for one. */
export function download<E extends Endpoint>(
  app: Hono<HttpEnv>,
  deps: Deps,
  endpoint: E,
  handler: (ctx: Ctx, input: Input<E>) => Download,
  limit: RequestLimit = API_LIMITS.downloads,
): void {
  app.on(endpoint.method, endpoint.path, async (c) => {
    const { ctx, input } = await callOf(deps, endpoint, c, limit);
    const apart = await answerApart(endpoint, ctx, input, c);
    if (apart) return apart;
    const { fileName, type, parts, headers = {} } = handler(ctx, input);
    const next = () => whileAsked(ctx.signal, () => parts.next());
    const first = await next();
    c.header('Content-Type', type);
    c.header('Content-Disposition', `attachment; filename="${fileName}"`);
    c.header('Cache-Control', 'no-store');
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    const onError = (error: unknown) => {
      if (!(error instanceof CallerGone)) ctx.log.error({ err: error }, 'a download was interrupted');
    };
    return c.body(streamOf(first, { next, end: () => parts.return(undefined) }, onError));
  });
}

function streamOf(
  first: IteratorResult<string | Uint8Array, void>,
  parts: { next(): Promise<IteratorResult<string | Uint8Array, void>>; end(): Promise<unknown> },
  onError: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let next: IteratorResult<string | Uint8Array, void> | undefined = first;
  const source = {
    async pull(controller: ReadableStreamDefaultController<Uint8Array>) {
      try {
        const part = next ?? (await parts.next());
        next = undefined;
        if (part.done) controller.close();
        else controller.enqueue(typeof part.value === 'string' ? encoder.encode(part.value) : part.value);
      } catch (error) {
        onError(error);
        throw error;
      }
    },
    async cancel() {
      await parts.end();
    },
  };
  // No part is made before it is asked for.
  return new ReadableStream(source, { highWaterMark: 0 });
}
