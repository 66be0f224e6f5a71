import { setTimeout as pause } from 'node:timers/promises';
import type { Context, Hono } from 'hono';
import type { z } from 'zod/mini';
import { denialText } from '#contract/auth.ts';
import type { Schema } from '#contract/endpoint.ts';
import type { Deps } from '#server/deps.ts';
import { AppError } from '#server/http/app-error.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { decideCreation } from './decide-creation.ts';
import { type Denial, decideOnce } from './decide-once.ts';
import { decideToken } from './decide-token.ts';
import { BEFORE_USER_CREATED_PATH, BeforeUserCreated, CUSTOM_ACCESS_TOKEN_PATH, CustomAccessToken } from './events.ts';
import { verifySignature } from './verify-signature.ts';

/** Supabase Auth waits 5 s for an answer and then shows words of its own. */
const DEADLINE_MS = 4_500;

/** What hosted Supabase asks the gate. Without a secret of it these paths do not exist. */
export function hooksRoutes(app: Hono<HttpEnv>, deps: Deps, { deadlineMs = DEADLINE_MS } = {}): void {
  const keys = deps.env.hookSecrets.map((secret) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64'));
  if (keys.length === 0) return;

  /** Serves one hook: allowed is answered with `allowed(event)`, and a refusal with status 200, the only one whose words arrive. */
  function hook<S extends Schema>(
    path: string,
    schema: S,
    decide: (event: z.output<S>) => Promise<Denial>,
    allowed: (event: z.output<S>) => object,
  ) {
    app.post(path, async (c) => {
      const deadline = pause<Denial>(deadlineMs, 'KEAP_ERROR', { ref: false });
      const body = await c.req.text();
      const id = verifySignature({ header: (name) => c.req.header(name), body }, keys);
      const event = eventOf(schema, body);
      const once = decideOnce(deps.db, { id, path, body }, () => Promise.race([decide(event), deadline]));
      const denial = await Promise.race([once, deadline]);
      if (denial) c.get('log').info({ hook: path, denial }, 'the gate refused');
      return answer(c, denial ? { error: { http_code: 403, message: denialText(denial) } } : allowed(event));
    });
  }

  hook(
    BEFORE_USER_CREATED_PATH,
    BeforeUserCreated,
    (event) => decideCreation(deps, event),
    () => ({}),
  );
  hook(
    CUSTOM_ACCESS_TOKEN_PATH,
    CustomAccessToken,
    (event) => decideToken(deps, event),
    ({ claims }) => ({ claims }),
  );
}

function answer(c: Context<HttpEnv>, body: object): Response {
  c.header('Cache-Control', 'no-store');
  return c.json(body);
}

/** Throws BAD_REQUEST. */
function eventOf<S extends Schema>(schema: S, body: string): z.output<S> {
  const parsed = schema.safeParse(jsonOf(body));
  if (!parsed.success) throw new AppError('BAD_REQUEST', 'This is not an event of this hook.');
  return parsed.data;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
