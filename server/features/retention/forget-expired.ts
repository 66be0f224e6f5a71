import { sql } from 'kysely';
import { COORDINATES_DAYS, EXPORT_RECORD_DAYS, STOP_REQUEST_DAYS } from '#contract/work/retention.ts';
import type { Db } from '#db/connection/client.ts';
import { thisMonth } from '#server/budgets/read-budgets.ts';
import { LATELY_DAYS } from '#server/paid-calls/departure/call-rates.ts';
import { days } from './age.ts';
import { inBatches } from './in-batches.ts';

const AT_ONCE = 5_000;
/** Each has a row for every 500 leads. */
const EXPORTS_AT_ONCE = 100;
/** As long as a page of a search is used again. Where its center lies may have been known for 30 days by then. */
const SUBJECT_DAYS = 1;
const UNUSED_SURVEY_DAYS = 90;

/** A column `subject` of a page of a search; written as in the indexes of both tables. */
const holdsCoordinates = sql`subject ~ ' m of [-0-9.e]+,[-0-9.e]+, page '`;
const withoutCoordinates = sql`regexp_replace(subject, ' m of [-0-9.e]+,[-0-9.e]+, page ', ' m, page ')`;

/**
 * Deletes what has expired. Safe to repeat, and in several processes at once.
 * - Answers, of websites too, carried sessions, and counters whose window is over. A website's notice stays until the site is read again.
 * - Limits that were kept for addresses in an earlier month.
 * - Coordinates that Google gave 30 days ago: of leads, of surveys, of the ledger's search pages and of their recalls.
 * - Records of exports and of removed suppressions after five years, and requests of strangers after 90 days; not those behind an entry.
 * - Surveys that no list was filled from and no one has used for 90 days.
 */
export async function forgetExpired(db: Db, signal: AbortSignal): Promise<void> {
  await inBatches(AT_ONCE, signal, () =>
    sql`
      delete from app.answers
      where ctid = any(array(select ctid from app.answers where expires_at <= now() limit ${AT_ONCE} for update skip locked))
    `.execute(db),
  );
  await inBatches(AT_ONCE, signal, () =>
    sql`
      delete from app.website_answers where ctid = any(array(
        select ctid from app.website_answers where expires_at <= now() and not visit ? 'notice'
        limit ${AT_ONCE} for update skip locked))
    `.execute(db),
  );
  const noticeAlone = sql`visit || '{"emails": [], "phones": [], "profiles": []}'`;
  await inBatches(AT_ONCE, signal, () =>
    sql`
      update app.website_answers set visit = ${noticeAlone} where ctid = any(array(
        select ctid from app.website_answers where expires_at <= now() and visit ? 'notice' and visit <> ${noticeAlone}
        limit ${AT_ONCE} for update skip locked))
    `.execute(db),
  );
  await sql`delete from app.website_turns where free_at < now() - interval '1 hour'`.execute(db);
  // The longest window that anything counts in is an hour.
  await sql`delete from app.rate_limits where window_start < now() - interval '2 hours'`.execute(db);
  await sql`delete from app.carried_sessions where ends_at <= now()`.execute(db);
  await forgetSurveys(db);
  await forgetContacts(db, signal);
  for (const kept of ['app.kept_limits', 'app.kept_spending', 'app.earlier_spending'] as const)
    await sql`delete from ${sql.table(kept)} where month < ${thisMonth}`.execute(db);
  // As long as a price counts.
  await sql`delete from app.call_rates where day <= (now() at time zone 'UTC')::date - ${LATELY_DAYS}::integer`.execute(
    db,
  );
  // The call that brought them knows when; a lead may be a copy, and younger.
  await inBatches(AT_ONCE, signal, () =>
    sql`
      update public.leads set latitude = null, longitude = null where id in (
        select lead.id from public.leads as lead left join app.paid_calls as call on call.id = lead.place_call_id
        where lead.latitude is not null and coalesce(call.settled_at, lead.created_at) <= now() - ${days(COORDINATES_DAYS)}
        limit ${AT_ONCE} for update of lead skip locked)
    `.execute(db),
  );
  await inBatches(AT_ONCE, signal, () =>
    sql`
      update app.paid_calls set subject = ${withoutCoordinates}
      where id in (
        select id from app.paid_calls
        where operation = 'search_page' and ${holdsCoordinates}
          and settled_at <= now() - ${days(SUBJECT_DAYS)}
        limit ${AT_ONCE} for update skip locked)
    `.execute(db),
  );
  await inBatches(AT_ONCE, signal, () =>
    sql`
      update app.recalls set subject = ${withoutCoordinates}
      where ctid = any(array(select ctid from app.recalls
        where operation = 'search_page' and ${holdsCoordinates} and recalled_at <= now() - ${days(SUBJECT_DAYS)}
        limit ${AT_ONCE} for update skip locked))
    `.execute(db),
  );
}

/** As long as the CRM's status of an address may count, doubled. */
const CRM_ASKED_DAYS = 14;

async function forgetContacts(db: Db, signal: AbortSignal): Promise<void> {
  await sql`delete from app.removed_suppressions where removed_at < now() - ${days(EXPORT_RECORD_DAYS)}`.execute(db);
  await inBatches(EXPORTS_AT_ONCE, signal, () =>
    sql`
      delete from app.exports where id = any(array(
        select id from app.exports where exported_at <= now() - ${days(EXPORT_RECORD_DAYS)} order by id limit ${EXPORTS_AT_ONCE}))
    `.execute(db),
  );
  await sql`delete from app.stop_codes where asked_at <= now() - ${days(1)}`.execute(db);
  // Behind an entry a request waits unseen, so its days count from when that is removed.
  await sql`
    delete from app.stop_requests as request
    where asked_at <= now() - ${days(STOP_REQUEST_DAYS)}
      and not exists (select from app.suppressions as entry where entry.key = request.key)
      and not exists (
        select from app.removed_suppressions as removed
        where removed.removed_at > now() - ${days(STOP_REQUEST_DAYS)} and removed.hash = any(app.contact_hashes(array[request.key])))
  `.execute(db);
  await sql`delete from app.crm_asked where asked_at <= now() - ${days(CRM_ASKED_DAYS)}`.execute(db);
}

/** The rectangles that were searched stay: they are ours, and the certificate of a list. */
async function forgetSurveys(db: Db): Promise<void> {
  await sql`
    update app.surveys set area = area - 'center'
    where (area -> 'located')::boolean and area ? 'center' and started_at <= now() - ${days(COORDINATES_DAYS)}
  `.execute(db);
  await sql`
    delete from app.surveys as survey
    where used_at <= now() - ${days(UNUSED_SURVEY_DAYS)}
      and not exists (select from app.list_surveys where survey_id = survey.id)
      and not exists (
        select from public.lists as list
        where list.user_id = survey.user_id and list.search_params #>> '{area,survey}' = survey.id::text
      )
  `.execute(db);
}
