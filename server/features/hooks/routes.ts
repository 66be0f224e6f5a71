import { setTimeout as pause } from 'node:timers/promises';
import type { Hono } from 'hono';
import type { z } from 'zod/mini';
import { denialText } from '#contract/access/precheck.ts';
import type { Schema } from '#contract/endpoint.ts';
import { type Refusal, recordRefusal } from '#server/audit/record-refusal.ts';
import type { Deps } from '#server/deps.ts';
import type { HttpEnv } from '#server/http/http-env.ts';
import { readJsonBody } from '#server/http/json-body.ts';
import { AppError } from '#server/lib/app-error.ts';
import { decideCreation } from './decide-creation.ts';
import { type Denial, decideOnce } from './decide-once.ts';
import { decideToken } from './decide-token.ts';
import {
  BEFORE_USER_CREATED_PATH,
  BeforeUserCreated,
  CUSTOM_ACCESS_TOKEN_PATH,
  CustomAccessToken,
  TOKEN_REFRESH,
} from './events.ts';
import { verifySignature } from './verify-signature.ts';

/** Supabase Auth waits 5 s for an answer and then shows words of its own. */
const DEADLINE_MS = 4_500;

type Hook<S extends Schema> = {
  path: string;
  schema: S;
  decide(event: z.output<S>): Promise<Denial>;
  /** The answer that lets it happen. */
  allowed(event: z.output<S>): object;
  /** Who was refused what, for the audit log; `ip` is theirs. */
  refused(event: z.output<S>): Omit<Refusal, 'reason'> & { ip: string };
};

/** What hosted Supabase asks the gate. Without a secret of it these paths do not exist. */
export function hooksRoutes(app: Hono<HttpEnv>, deps: Deps, { deadlineMs = DEADLINE_MS } = {}): void {
  const keys = deps.env.hookSecrets.map((secret) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64'));
  if (keys.length === 0) return;

  function serve<S extends Schema>(hook: Hook<S>) {
    app.post(hook.path, async (c) => {
      const deadline = pause<Denial>(deadlineMs, 'KEAP_ERROR', { ref: false });
      const body = await c.req.text();
      const id = verifySignature({ header: (name) => c.req.header(name), body }, keys);
      const event = eventOf(hook.schema, await readJsonBody(c));
      const once = decideOnce(deps.db, { id, path: hook.path, body }, async () => {
        const denial = await Promise.race([hook.decide(event), deadline]);
        if (denial) await record(denial, hook.refused(event), c.get('requestId'));
        return denial;
      });
      const denial = await Promise.race([once, deadline]);
      c.header('Cache-Control', 'no-store');
      // The words of a refusal arrive with status 200 only.
      return c.json(denial ? { error: { http_code: 403, message: denialText(denial) } } : hook.allowed(event));
    });
  }

  async function record(reason: string, { ip, ...refusal }: ReturnType<Hook<Schema>['refused']>, requestId: string) {
    await recordRefusal(deps.db, deps.vault, { ip, requestId }, { ...refusal, reason });
  }

  serve({
    path: BEFORE_USER_CREATED_PATH,
    schema: BeforeUserCreated,
    decide: (event) => decideCreation(deps, event),
    allowed: () => ({}),
    refused: ({ user, metadata }) => ({ email: nameOf(user.email), at: 'link', ip: metadata.ip_address ?? '' }),
  });
  serve({
    path: CUSTOM_ACCESS_TOKEN_PATH,
    schema: CustomAccessToken,
    decide: (event) => decideToken(deps, event),
    allowed: ({ claims }) => ({ claims }),
    refused: ({ claims, metadata, authentication_method }) => ({
      email: nameOf(claims.email),
      at: authentication_method === TOKEN_REFRESH ? 'refresh' : 'sign_in',
      ip: metadata?.ip_address ?? '',
    }),
  });
}

const nameOf = (email: unknown) => (typeof email === 'string' && email !== '' ? email.toLowerCase() : 'nobody');

/** @throws BAD_REQUEST */
function eventOf<S extends Schema>(schema: S, body: unknown): z.output<S> {
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw new AppError('BAD_REQUEST', 'This is not an event of this hook.');
  return parsed.data;
}
