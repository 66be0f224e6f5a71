import { sql } from 'kysely';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { z } from 'zod/mini';
import type { askToStopEndpoint, StopKind } from '#contract/calling/stop-page.ts';
import type { DataOf } from '#contract/endpoint.ts';
import { networkOf, siteNetworkOf } from '#db/values/ip-network.ts';
import { readEntry } from '#server/features/suppressions/read-entry.ts';
import { readSettings } from '#server/features/suppressions/settings.ts';
import type { PublicCtx } from '#server/http/context.ts';
import { AppError } from '#server/lib/app-error.ts';
import { countRequest } from '#server/limits/count-requests.ts';
import { textSender, textsOf } from '#server/mail/text-message.ts';
import { askAdministrator, planCode, type Waiting } from './plan-code.ts';
import { codeOf } from './stop-code.ts';
import { STOP_LIMITS } from './stop-limits.ts';
import { codeMail, codeText } from './stop-messages.ts';

/** Texts go to these alone: elsewhere strangers could have them sent where they earn by them. */
const TEXTED_COUNTRIES: readonly (string | undefined)[] = ['US', 'CA'];

/**
 * Sends a code to a number or address, if that is within all limits. Nothing of what it does shows in the answer or its time.
 * @throws NOT_FOUND while the page is off, RATE_LIMITED for a network that asks too often, VALIDATION_FAILED for what is no contact,
 *   CONFLICT while too many wait for an administrator
 */
export async function askToStop(
  ctx: PublicCtx,
  { kind, value }: z.output<typeof askToStopEndpoint.body>,
): Promise<DataOf<typeof askToStopEndpoint>> {
  const { deps } = ctx;
  await requireOpen(ctx);
  await countRequest(deps, [STOP_LIMITS.asksOfNetwork, networkOf(ctx.ip)]);
  const contact = await readContact(ctx, kind, value);
  const sms = kind === 'phone' ? textsOf(deps) : undefined;
  const reachable = kind === 'email' || (sms !== undefined && isTexted(contact.value));
  const waiting = { key: contact.key, network: siteOf(ctx) };
  const { ask, sends } = await deps.db
    .transaction()
    .execute((tx) => planCode(tx, { ...waiting, kind, contact: contact.print, reachable }));
  if (sends) {
    const code = codeOf(deps.vault, ask);
    const sending = sms
      ? textSender(sms)({ to: contact.value, text: codeText(code, deps.siteUrl) })
      : deps.sendMail({ to: contact.value, ...codeMail(code, deps.siteUrl) });
    // Not waited for: how long it takes would tell whether anything is sent.
    void askIfNotSent(ctx, waiting, sending);
  }
  return { ask };
}

/** A code that does not go out leaves the contact to an administrator. Never throws. */
async function askIfNotSent({ deps, log }: PublicCtx, waiting: Waiting, sending: Promise<unknown>): Promise<void> {
  try {
    const isSent = await sending.then(
      (outcome) => outcome !== 'bad number',
      (error: unknown) => {
        log.warn({ err: error }, 'a code to stop could not be sent');
        return false;
      },
    );
    if (!isSent) await askAdministrator(deps.db, waiting);
  } catch (error) {
    log.error({ err: error }, 'a request to stop could not be kept for an administrator');
  }
}

/** From where someone asks, as a fingerprint. */
export const siteOf = ({ deps: { vault }, ip }: PublicCtx): string =>
  vault.fingerprint(`stop from ${siteNetworkOf(ip)}`);

/** @throws NOT_FOUND while the page is off. */
async function requireOpen({ deps: { db } }: PublicCtx): Promise<void> {
  if (!(await readSettings(db)).publicPage) throw new AppError('NOT_FOUND', 'This page is switched off.');
}

/** `key`: as in app.suppressions. `print`: its fingerprint. `value`: as it was entered, or E.164. */
export async function readContact(
  { deps: { db, vault } }: PublicCtx,
  kind: StopKind,
  text: string,
): Promise<{ key: string; print: string; value: string }> {
  const entry = readEntry(kind, text);
  if (entry.state === 'wrong') throw new AppError('VALIDATION_FAILED', entry.why);
  const { rows } = await sql<{
    key: string | null;
  }>`select app.suppression_key(${kind}, ${entry.value}) as key`.execute(db);
  const key = rows[0]?.key;
  if (!key) throw new AppError('VALIDATION_FAILED', 'This cannot be read. Check how it is written.');
  return { key, print: vault.fingerprint(`stop ${key}`), value: entry.value };
}

const isTexted = (phone: string): boolean => TEXTED_COUNTRIES.includes(parsePhoneNumberFromString(phone)?.country);
