import { type RawBuilder, sql } from 'kysely';
import { EXPORTS_BUCKET } from '#contract/work/exports/export-archive.ts';
import type { Db } from '#db/connection/client.ts';
import { SHOWN_STATE } from '#server/paid-calls/ledger/shown-state.ts';

/** Rows read at a time: as much of an account as is in memory at once. */
const PAGE = 500;

/** A row as JSON text, and where the next page begins. */
type Row = { json: string; key: string[] };
type Page = (userId: string, after: readonly string[] | undefined) => RawBuilder<Row>;

/** Everything but the lists, which come with their leads. What is the server's own (leases, sealed keys) is left out. `ofOwnBackend`: hosted Supabase does not show it. */
export const SECTIONS: readonly { name: string; page: Page; ofOwnBackend?: true }[] = [
  {
    name: 'providerKeys',
    page: (userId, after = ['']) => sql`
      select jsonb_build_object('provider', provider, 'maskedKey', '••••' || last_four, 'sandbox', sandbox,
          'last_used_at', last_used_at, 'last_tested_at', last_tested_at, 'created_at', created_at, 'updated_at', updated_at
        )::text as json, array[provider] as key
      from app.provider_keys where user_id = ${userId} and provider > ${after[0]} order by provider limit ${PAGE}`,
  },
  {
    name: 'identities',
    ofOwnBackend: true,
    page: (userId, after = [FIRST_ID]) => sql`
      select jsonb_build_object('provider', provider, 'identity_data', identity_data, 'last_sign_in_at', last_sign_in_at,
          'created_at', created_at
        )::text as json, array[id::text] as key
      from auth.identities where user_id = ${userId} and id > ${after[0]}::uuid order by id limit ${PAGE}`,
  },
  {
    name: 'sessions',
    ofOwnBackend: true,
    page: (userId, after = [FIRST_ID]) => sql`
      select jsonb_build_object('created_at', created_at, 'refreshed_at', refreshed_at, 'user_agent', user_agent, 'ip', ip
        )::text as json, array[id::text] as key
      from auth.sessions where user_id = ${userId} and id > ${after[0]}::uuid order by id limit ${PAGE}`,
  },
  {
    name: 'carriedSessions',
    page: (userId, after = [FIRST_ID]) => sql`
      select jsonb_build_object('created_at', created_at, 'last_used_at', last_used_at, 'ends_at', ends_at,
          'user_agent', user_agent, 'ip', ip)::text as json, array[id::text] as key
      from app.carried_sessions where user_id = ${userId} and id > ${after[0]}::uuid order by id limit ${PAGE}`,
  },
  {
    name: 'phoneNumbers',
    ofOwnBackend: true,
    page: (userId, after = [FIRST_ID]) => sql`
      select jsonb_build_object('phone', phone, 'confirmed_at', phone_confirmed_at, 'phone_change', phone_change
        )::text as json, array[id::text] as key
      from auth.users
      where id = ${userId} and id > ${after[0]}::uuid and coalesce(phone, phone_change) is not null limit ${PAGE}`,
  },
  {
    name: 'recoveryCodes',
    ofOwnBackend: true,
    page: (userId, after = [FIRST_ID]) => sql`
      select jsonb_build_object('created_at', created_at, 'used_at', used_at)::text as json, array[id::text] as key
      from auth.recovery_codes where user_id = ${userId} and id > ${after[0]}::uuid order by id limit ${PAGE}`,
  },
  {
    // The network itself is stored as a keyed hash only.
    name: 'knownNetworks',
    ofOwnBackend: true,
    page: (userId, after = ['']) => sql`
      select jsonb_build_object('seen_at', seen_at)::text as json, array[network] as key
      from auth.known_networks where user_id = ${userId} and network > ${after[0]} order by network limit ${PAGE}`,
  },
  {
    name: 'secondSteps',
    ofOwnBackend: true,
    page: (userId, after = [FIRST_ID]) => sql`
      select jsonb_build_object('name', friendly_name, 'type', factor_type, 'phone', phone, 'status', status,
          'created_at', created_at)::text as json, array[id::text] as key
      from auth.mfa_factors where user_id = ${userId} and id > ${after[0]}::uuid order by id limit ${PAGE}`,
  },
  {
    name: 'invitationsSent',
    page: (userId, after = [FIRST_ID]) => sql`
      select (to_jsonb(invitation) - 'invited_by')::text as json, array[id::text] as key
      from app.invitations as invitation
      where invited_by = ${userId} and id > ${after[0]}::uuid order by id limit ${PAGE}`,
  },
  {
    name: 'budgets',
    page: (userId, after = ['', '']) => sql`
      select (to_jsonb(budget_limit) - 'user_id')::text as json, array[budget, set_by] as key
      from app.budgets as budget_limit
      where user_id = ${userId} and (budget, set_by) > (${after[0]}, ${after[1]}) order by budget, set_by limit ${PAGE}`,
  },
  {
    name: 'budgetNotices',
    page: (userId, after = ['-infinity', '', 'false', '0']) => sql`
      select (to_jsonb(notice) - 'user_id')::text as json,
        array[month::text, budget, sandbox::text, percent::text] as key
      from app.budget_notices as notice
      where user_id = ${userId}
        and (month, budget, sandbox, percent) > (${after[0]}::date, ${after[1]}, ${after[2]}::boolean, ${after[3]}::integer)
      order by month, budget, sandbox, percent limit ${PAGE}`,
  },
  {
    name: 'earlierSpending',
    page: (userId, after = ['-infinity', '', 'false']) => sql`
      select (to_jsonb(spending) - 'user_id')::text as json, array[month::text, provider, sandbox::text] as key
      from app.earlier_spending as spending
      where user_id = ${userId} and (month, provider, sandbox) > (${after[0]}::date, ${after[1]}, ${after[2]}::boolean)
      order by month, provider, sandbox limit ${PAGE}`,
  },
  {
    name: 'runs',
    page: (userId, after = FIRST_TIME) => sql`
      select (to_jsonb(run) - array['user_id', 'lease_owner', 'lease_expires_at'])::text as json,
        array[created_at::text, id::text] as key
      from app.runs as run
      where user_id = ${userId} and (created_at, id) > (${after[0]}::timestamptz, ${after[1]}::uuid)
      order by created_at, id limit ${PAGE}`,
  },
  {
    name: 'paidCalls',
    page: (userId, after = FIRST_TIME) => sql`
      select (to_jsonb(call) - array['user_id', 'idempotency_key'] || jsonb_build_object('state', ${SHOWN_STATE}))::text as json,
        array[planned_at::text, id::text] as key
      from app.paid_calls as call
      where user_id = ${userId} and (planned_at, id) > (${after[0]}::timestamptz, ${after[1]}::uuid)
      order by planned_at, id limit ${PAGE}`,
  },
  {
    name: 'rememberedAnswers',
    page: (userId, after = ['', '', '', 'false']) => sql`
      select (to_jsonb(answer) - 'user_id')::text as json,
        array[provider, operation, subject, sandbox::text] as key
      from app.answers as answer
      where user_id = ${userId}
        and (provider, operation, subject, sandbox) > (${after[0]}, ${after[1]}, ${after[2]}, ${after[3]}::boolean)
      order by provider, operation, subject, sandbox limit ${PAGE}`,
  },
  {
    name: 'surveys',
    page: (userId, after = [FIRST_ID]) => sql`
      select (to_jsonb(survey) - array['user_id', 'subject'])::text as json, array[id::text] as key
      from app.surveys as survey where user_id = ${userId} and id > ${after[0]}::uuid order by id limit ${PAGE}`,
  },
  {
    name: 'surveyTiles',
    page: (userId, after = [FIRST_ID, '0', '0', '0', '0', '0']) => sql`
      select to_jsonb(tile)::text as json,
        array[survey_id::text, query::text, south::text, west::text, north::text, east::text] as key
      from app.survey_tiles as tile
      where survey_id in (select id from app.surveys where user_id = ${userId})
        and (survey_id, query, south, west, north, east) > (${after[0]}::uuid, ${after[1]}::smallint, ${after[2]}::integer,
          ${after[3]}::integer, ${after[4]}::integer, ${after[5]}::integer)
      order by survey_id, query, south, west, north, east limit ${PAGE}`,
  },
  {
    name: 'surveyPlaces',
    page: (userId, after = [FIRST_ID, '']) => sql`
      select to_jsonb(place)::text as json, array[survey_id::text, place_id] as key
      from app.survey_places as place
      where survey_id in (select id from app.surveys where user_id = ${userId})
        and (survey_id, place_id) > (${after[0]}::uuid, ${after[1]})
      order by survey_id, place_id limit ${PAGE}`,
  },
  {
    name: 'openMatches',
    page: (userId, after = ['', '']) => sql`
      select (to_jsonb(match) - 'user_id')::text as json, array[place_id, open_id] as key
      from app.open_matches as match
      where user_id = ${userId} and (place_id, open_id) > (${after[0]}, ${after[1]})
      order by place_id, open_id limit ${PAGE}`,
  },
  {
    name: 'valuesTold',
    page: (userId, after = ['0']) => sql`
      select jsonb_build_object('origin', origin, 'values', cardinality(hashes))::text as json, array[id::text] as key
      from app.told_values where user_id = ${userId} and id > ${after[0]}::bigint order by id limit ${PAGE}`,
  },
  {
    name: 'openImportsStarted',
    page: (userId, after = ['0']) => sql`
      select (to_jsonb(import) - 'started_by')::text as json, array[id::text] as key
      from app.open_imports as import
      where started_by = ${userId} and id > ${after[0]}::integer order by id limit ${PAGE}`,
  },
  {
    name: 'suppressionsAdded',
    page: (userId, after = FIRST_TIME) => sql`
      select (to_jsonb(entry) - 'added_by')::text as json, array[added_at::text, id::text] as key
      from app.suppressions as entry
      where added_by = ${userId} and (added_at, id) > (${after[0]}::timestamptz, ${after[1]}::uuid)
      order by added_at, id limit ${PAGE}`,
  },
  {
    name: 'callingScopes',
    page: (userId, after = ['0']) => sql`
      select (to_jsonb(decision) - 'decided_by')::text as json, array[id::text] as key
      from app.calling_scopes as decision
      where decided_by = ${userId} and id > ${after[0]}::bigint order by id limit ${PAGE}`,
  },
  {
    name: 'callingRules',
    page: (userId, after = [FIRST_ID]) => sql`
      select (to_jsonb(rule) - array['added_by', 'ended_by'])::text as json, array[id::text] as key
      from app.calling_rules as rule
      where ${userId} in (added_by, ended_by) and id > ${after[0]}::uuid order by id limit ${PAGE}`,
  },
  {
    name: 'callsLogged',
    page: (userId, after = FIRST_TIME) => sql`
      -- Other numbers of the business may stand in the lists of others alone.
      select (to_jsonb(call) - array['user_id', 'beside'])::text as json, array[called_at::text, id::text] as key
      from app.calls as call
      where user_id = ${userId} and (called_at, id) > (${after[0]}::timestamptz, ${after[1]}::uuid)
      order by called_at, id limit ${PAGE}`,
  },
  {
    name: 'imports',
    page: (userId, after = [FIRST_ID]) => sql`
      select (to_jsonb(import) - array['user_id', 'lease_owner', 'lease_expires_at', 'keyed_by'])::text as json,
        array[id::text] as key
      from app.imports as import where user_id = ${userId} and id > ${after[0]}::uuid order by id limit ${PAGE}`,
  },
  {
    name: 'importRows',
    page: (userId, after = [FIRST_ID, '0']) => sql`
      select (to_jsonb(staged) - array['keys', 'same_row', 'same_lead'])::text as json,
        array[import_id::text, row::text] as key
      from app.import_rows as staged
      where import_id in (select id from app.imports where user_id = ${userId})
        and (import_id, row) > (${after[0]}::uuid, ${after[1]}::integer)
      order by import_id, row limit ${PAGE}`,
  },
  {
    name: 'importUpdates',
    page: (userId, after = [FIRST_ID, '0']) => sql`
      select to_jsonb(filled)::text as json, array[import_id::text, row::text] as key
      from app.import_updates as filled
      where import_id in (select id from app.imports where user_id = ${userId})
        and (import_id, row) > (${after[0]}::uuid, ${after[1]}::integer)
      order by import_id, row limit ${PAGE}`,
  },
  {
    // What was sealed is in an evidence pack.
    name: 'evidence',
    page: (userId, after = ['0']) => sql`
      select jsonb_build_object('position', position, 'at', at, 'kind', kind, 'list_id', list_id, 'facts', facts,
          'hash', encode(hash, 'hex'))::text as json, array[position::text] as key
      from app.evidence
      where actor_id = ${userId} and position > ${after[0]}::bigint order by position limit ${PAGE}`,
  },
  {
    name: 'evidenceMail',
    page: (userId, after = ['-infinity']) => sql`
      select jsonb_build_object('asked_at', asked_at, 'mailed_at', mailed_at)::text as json, array[asked_at::text] as key
      from app.evidence_mails
      where user_id = ${userId} and asked_at > ${after[0]}::timestamptz order by asked_at limit ${PAGE}`,
  },
  {
    name: 'meterReadings',
    page: (userId, after = ['0']) => sql`
      select (to_jsonb(reading) - array['user_id', 'fingerprint'])::text as json, array[id::text] as key
      from app.meter_readings as reading
      where user_id = ${userId} and id > ${after[0]}::bigint order by id limit ${PAGE}`,
  },
  {
    name: 'exports',
    page: (userId, after = ['']) => sql`
      select jsonb_build_object('name', name, 'size', metadata -> 'size', 'created_at', created_at)::text as json, array[name] as key
      from storage.objects
      where bucket_id = ${EXPORTS_BUCKET} and starts_with(name, ${userId} || '/') and name > ${after[0]}
      order by name limit ${PAGE}`,
  },
  {
    // Whom they held is kept as hashes, which are no one's to read.
    name: 'exportRecords',
    page: (userId, after = ['0']) => sql`
      select (to_jsonb(export) - 'user_id')::text as json, array[id::text] as key
      from app.exports as export
      where user_id = ${userId} and id > ${after[0]}::bigint order by id limit ${PAGE}`,
  },
  {
    name: 'suppressionNotices',
    page: (userId, after = [FIRST_ID]) => sql`
      select jsonb_build_object('suppression_id', suppression_id, 'mailed_at', mailed_at)::text as json,
        array[suppression_id::text] as key
      from app.suppression_notices
      where user_id = ${userId} and suppression_id > ${after[0]}::uuid order by suppression_id limit ${PAGE}`,
  },
  {
    name: 'erasureNotices',
    page: (userId, after = [FIRST_ID]) => sql`
      select jsonb_build_object('id', id, 'asked_at', asked_at, 'waits', sealed_notice is not null)::text as json,
        array[id::text] as key
      from app.erasure_notices where user_id = ${userId} and id > ${after[0]}::uuid order by id limit ${PAGE}`,
  },
  {
    name: 'erasedContacts',
    page: (userId, after = ['']) => sql`
      select jsonb_build_object('kind', kind, 'erased_at', erased_at)::text as json, array[encode(hash, 'hex')] as key
      from app.erased_contacts
      where erased_by = ${userId} and encode(hash, 'hex') > ${after[0]} order by encode(hash, 'hex') limit ${PAGE}`,
  },
  {
    name: 'auditLog',
    page: (userId, after = ['0']) => sql`
      select (to_jsonb(entry) - 'actor_id')::text as json, array[id::text] as key
      from app.audit_log as entry
      where actor_id = ${userId} and id > ${after[0]}::bigint order by id limit ${PAGE}`,
  },
];

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const FIRST_TIME = ['-infinity', FIRST_ID];

export const listsPage: Page = (userId, after = [FIRST_ID]) => sql`
  select (to_jsonb(list) - 'user_id')::text as json, array[id::text] as key
  from public.lists as list where user_id = ${userId} and id > ${after[0]}::uuid order by id limit ${PAGE}`;

/** The leads of one list, which must belong to the caller. */
export const leadsPage: Page = (listId, after = ['-1']) => sql`
  select (to_jsonb(lead) - array['list_id', 'contact_keys'])::text as json, array[position::text] as key
  from public.leads as lead where list_id = ${listId} and position > ${after[0]}::integer
  order by position limit ${PAGE}`;

/** The rows of a section, a page at a time. Each page is a query of its own: a slow reader holds no connection. */
export async function* pagesOf(db: Db, page: Page, owner: string): AsyncGenerator<readonly Row[]> {
  for (let after: string[] | undefined; ; ) {
    const { rows } = await page(owner, after).execute(db);
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE) return;
    after = rows.at(-1)?.key;
  }
}
