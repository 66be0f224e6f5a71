-- Who must not be contacted any more, by which keys, who asked, which exports held them, and what is left of the erased.
-- Written by `npm run db:types` from the migrations. Do not edit.

-- Who must not be contacted any more, by anyone of this installation. An entry outlives the account that added it.
create table app.suppressions (
  id uuid not null default gen_random_uuid(),
  kind text not null,
  key text not null, -- What app.suppression_key makes of the value. Leads have theirs in contact_keys.
  note text,
  source text not null,
  added_by uuid,
  added_at timestamptz not null default now(),
  asked_at timestamptz, -- When someone asked to be left alone, where that is known and was before the entry. The clock of the law counts from it.
  constraint suppressions_pkey primary key (id),
  constraint suppressions_key_key unique (key),
  constraint suppressions_added_by_fkey foreign key (added_by) references auth.users(id) on delete set null,
  constraint suppressions_check check (starts_with(key, kind || ':') and char_length(key) <= 400),
  constraint suppressions_kind_check check (kind in ('phone', 'email', 'domain', 'business', 'company')),
  constraint suppressions_note_check check (char_length(note) <= 500),
  constraint suppressions_source_check check (source in ('hand', 'file', 'call', 'crm', 'public'))
);
create index suppressions_added_at_idx on app.suppressions (added_at desc, id desc);
create index suppressions_added_by_idx on app.suppressions (added_by);
alter table app.suppressions enable row level security;
alter table app.suppressions force row level security;
create policy server on app.suppressions to fairlead_worker, service_role
  using (true)
  with check (true);
grant select, insert, update (note, source, asked_at) on app.suppressions to fairlead_worker;
grant select, insert, update, delete on app.suppressions to service_role;

create table app.suppression_settings (
  singleton boolean not null default true,
  public_page boolean not null default false, -- Whether strangers may suppress their own number or address at /stop.
  crm_statuses boolean not null default false,
  crm_tag_id text,
  crm_tag_name text,
  watched_to timestamptz not null default now(), -- Entries before it have been compared with past exports.
  crm_tag_before text, -- The name of the tag that was chosen in the account before. It counts no more, and is told until someone chooses a tag, or none.
  constraint suppression_settings_pkey primary key (singleton),
  constraint suppression_settings_check check ((crm_tag_id is null) = (crm_tag_name is null)),
  constraint suppression_settings_crm_tag_before_check check (char_length(crm_tag_before) <= 500),
  constraint suppression_settings_crm_tag_id_check check (char_length(crm_tag_id) >= 1 and char_length(crm_tag_id) <= 100),
  constraint suppression_settings_crm_tag_name_check check (char_length(crm_tag_name) <= 500),
  constraint suppression_settings_singleton_check check (singleton)
);
alter table app.suppression_settings enable row level security;
alter table app.suppression_settings force row level security;
create policy server on app.suppression_settings to fairlead_worker, service_role
  using (true)
  with check (true);
grant select, update on app.suppression_settings to fairlead_worker;
grant select, update on app.suppression_settings to service_role;

-- Who has been mailed that their exports held a contact: once for each.
create table app.suppression_notices (
  suppression_id uuid not null,
  user_id uuid not null,
  mailed_at timestamptz not null default now(),
  constraint suppression_notices_pkey primary key (suppression_id, user_id),
  constraint suppression_notices_suppression_id_fkey foreign key (suppression_id) references app.suppressions(id) on delete cascade,
  constraint suppression_notices_user_id_fkey foreign key (user_id) references auth.users(id) on delete cascade
);
create index suppression_notices_user_id_idx on app.suppression_notices (user_id);
alter table app.suppression_notices enable row level security;
alter table app.suppression_notices force row level security;
create policy server on app.suppression_notices to fairlead_worker, service_role
  using (true)
  with check (true);
grant select, insert on app.suppression_notices to fairlead_worker;
grant select, insert, update, delete on app.suppression_notices to service_role;

-- The last pull of opt-outs from the CRM: who is at it, how it ended, and what it brought.
create table app.crm_pull (
  singleton boolean not null default true,
  lease_owner uuid,
  lease_expires_at timestamptz,
  asked_at timestamptz, -- When someone last pressed the button. A pull that began before is followed by another.
  started_at timestamptz,
  ended_at timestamptz,
  complete_at timestamptz,
  failure text, -- Why the last one did not end well. Null where it did: a failure never means that no one opted out.
  contacts integer not null default 0,
  addresses integer not null default 0,
  added integer not null default 0,
  lead_cursor uuid, -- The last lead whose address was looked at. Each pull asks about some, and the next goes on.
  left_out text, -- What the last pull could not read, in words with examples.
  constraint crm_pull_pkey primary key (singleton),
  constraint crm_pull_failure_check check (char_length(failure) <= 500),
  constraint crm_pull_left_out_check check (char_length(left_out) <= 1000),
  constraint crm_pull_singleton_check check (singleton)
);
alter table app.crm_pull enable row level security;
alter table app.crm_pull force row level security;
create policy server on app.crm_pull to fairlead_worker, service_role
  using (true)
  with check (true);
grant select, update on app.crm_pull to fairlead_worker;
grant select, update on app.crm_pull to service_role;

-- Addresses of leads whose status the CRM has given, as keyed hashes, so that each is asked about at intervals.
create table app.crm_asked (
  hash bytea not null,
  asked_at timestamptz not null default now(),
  refused_lead uuid, -- The lead with the address, where the CRM did not accept it: no one knows whether that person has opted out. Null for all others.
  constraint crm_asked_pkey primary key (hash)
);
create index crm_asked_asked_at_idx on app.crm_asked (asked_at);
create index crm_asked_refused_idx on app.crm_asked (asked_at) where (refused_lead is not null);
alter table app.crm_asked enable row level security;
alter table app.crm_asked force row level security;
create policy server on app.crm_asked to fairlead_worker, service_role
  using (true)
  with check (true);
grant select, insert, update, delete on app.crm_asked to fairlead_worker;
grant select, insert, update, delete on app.crm_asked to service_role;

-- Each time a stranger asked to be left alone, for a day. The contact is a fingerprint, and codes are derived from ids by the
-- encryption key, so that neither is stored.
create table app.stop_codes (
  id uuid not null default gen_random_uuid(),
  contact text not null,
  code_id uuid, -- The id that the code was made of: its own where a code was sent, another's whose code still works, null where none was.
  texted boolean not null default false,
  tries integer not null default 0,
  asked_at timestamptz not null default now(),
  expires_at timestamptz not null,
  constraint stop_codes_pkey primary key (id)
);
create index stop_codes_asked_at_idx on app.stop_codes (asked_at);
create index stop_codes_contact_idx on app.stop_codes (contact, asked_at);
alter table app.stop_codes enable row level security;
alter table app.stop_codes force row level security;
create policy server on app.stop_codes to fairlead_worker, service_role
  using (true)
  with check (true);
grant select, delete on app.stop_codes to fairlead_worker;
grant select, insert, update, delete on app.stop_codes to service_role;

-- Numbers and addresses that strangers entered and no code could confirm: an administrator decides.
create table app.stop_requests (
  id uuid not null default gen_random_uuid(),
  key text not null,
  asked_at timestamptz not null default now(),
  network text, -- From which network it came, as a fingerprint. Null for requests from before 2026-11-29.
  constraint stop_requests_pkey primary key (id),
  constraint stop_requests_key_key unique (key),
  constraint stop_requests_key_check check (key ~ '^(phone|email):' and char_length(key) <= 400)
);
create index stop_requests_asked_at_idx on app.stop_requests (asked_at);
create index stop_requests_network_idx on app.stop_requests (network);
alter table app.stop_requests enable row level security;
alter table app.stop_requests force row level security;
create policy server on app.stop_requests to fairlead_worker, service_role
  using (true)
  with check (true);
grant select, delete on app.stop_requests to fairlead_worker;
grant select, insert, update, delete on app.stop_requests to service_role;

-- Entries that administrators removed, as keyed hashes, for five years. Added again, they count from the first time.
create table app.removed_suppressions (
  hash bytea not null,
  asked_at timestamptz not null, -- When they asked to be left alone, else when they were entered.
  removed_at timestamptz not null default now(),
  constraint removed_suppressions_pkey primary key (hash)
);
create index removed_suppressions_removed_at_idx on app.removed_suppressions (removed_at);
alter table app.removed_suppressions enable row level security;
alter table app.removed_suppressions force row level security;
create policy server on app.removed_suppressions to fairlead_worker, service_role
  using (true)
  with check (true);
grant select, delete on app.removed_suppressions to fairlead_worker;
grant select, insert, update, delete on app.removed_suppressions to service_role;

-- Files of leads that left Fairlead, kept for five years. They outlive their list and the account that saved them.
create table app.exports (
  id bigint not null generated always as identity,
  user_id uuid,
  list_id uuid not null,
  list_name text not null,
  file_name text not null,
  leads integer not null default 0, -- How many have been sent so far. A download that broke off has fewer than were chosen.
  exported_at timestamptz not null default now(),
  evidence_id uuid, -- Under which the evidence has it, and a kept file names it. Null for exports from before this was kept.
  constraint exports_pkey primary key (id),
  constraint exports_user_id_fkey foreign key (user_id) references auth.users(id) on delete set null,
  constraint exports_file_name_check check (char_length(file_name) <= 300),
  constraint exports_leads_check check (leads >= 0),
  constraint exports_list_name_check check (char_length(list_name) <= 250)
);
create index exports_exported_at_idx on app.exports (exported_at);
create index exports_user_id_idx on app.exports (user_id, id);
alter table app.exports enable row level security;
alter table app.exports force row level security;
create policy server on app.exports to fairlead_worker, service_role
  using (true)
  with check (true);
grant select, delete on app.exports to fairlead_worker;
grant select, insert, update, delete on app.exports to service_role;
create trigger forget_erased_names before insert or update of list_name, file_name on app.exports for each row execute function app.forget_erased_names('list_name', 'file_name');

-- Whom each export held, by app.short_hashes: a row for each part of the file.
create table app.export_contacts (
  export_id bigint not null,
  part integer not null,
  hashes bigint[] not null,
  constraint export_contacts_pkey primary key (export_id, part),
  constraint export_contacts_export_id_fkey foreign key (export_id) references app.exports(id) on delete cascade
);
create index export_contacts_hashes_idx on app.export_contacts using gin (hashes) with (fastupdate=off);
alter table app.export_contacts enable row level security;
alter table app.export_contacts force row level security;
create policy server on app.export_contacts to fairlead_worker, service_role
  using (true)
  with check (true);
grant select, delete on app.export_contacts to fairlead_worker;
grant select, insert, update, delete on app.export_contacts to service_role;

-- The key of the hashes of contacts. No role has rights on it: app.contact_hashes alone reads it. A backup holds it.
create table app.contact_secret (
  singleton boolean not null default true,
  inner_key bytea not null,
  outer_key bytea not null,
  constraint contact_secret_pkey primary key (singleton),
  constraint contact_secret_inner_key_check check (length(inner_key) = 64),
  constraint contact_secret_outer_key_check check (length(outer_key) = 64),
  constraint contact_secret_singleton_check check (singleton)
);
alter table app.contact_secret enable row level security;
alter table app.contact_secret force row level security;
create policy server on app.contact_secret to public
  using (true)
  with check (true);

-- Keyed hashes of contacts that were erased. They stay suppressed, and no lead that carries one can be stored.
create table app.erased_contacts (
  hash bytea not null,
  kind text not null,
  erased_by uuid,
  erased_at timestamptz not null default now(),
  constraint erased_contacts_pkey primary key (hash),
  constraint erased_contacts_erased_by_fkey foreign key (erased_by) references auth.users(id) on delete set null,
  constraint erased_contacts_hash_check check (length(hash) = 32),
  constraint erased_contacts_kind_check check (kind in ('phone', 'email', 'business'))
);
create index erased_contacts_erased_by_idx on app.erased_contacts (erased_by);
alter table app.erased_contacts enable row level security;
alter table app.erased_contacts force row level security;
create policy server on app.erased_contacts to fairlead_worker, service_role
  using (true)
  with check (true);
grant select on app.erased_contacts to fairlead_worker;
grant select, insert, update, delete on app.erased_contacts to service_role;

-- Who is to be mailed that their exports held a contact which was erased: once for each.
create table app.erasure_notices (
  id uuid not null,
  hash bytea not null,
  user_id uuid not null,
  sealed_notice text, -- What the mail says. Null once it is sent, after 30 days, or for whom was told when it was suppressed.
  asked_at timestamptz not null default now(),
  constraint erasure_notices_pkey primary key (id),
  constraint erasure_notices_hash_user_id_key unique (hash, user_id),
  constraint erasure_notices_hash_fkey foreign key (hash) references app.erased_contacts(hash) on delete cascade,
  constraint erasure_notices_user_id_fkey foreign key (user_id) references auth.users(id) on delete cascade
);
create index erasure_notices_user_id_idx on app.erasure_notices (user_id);
create index erasure_notices_waiting_idx on app.erasure_notices (asked_at) where (sealed_notice is not null);
alter table app.erasure_notices enable row level security;
alter table app.erasure_notices force row level security;
create policy server on app.erasure_notices to fairlead_worker, service_role
  using (true)
  with check (true);
grant select, update on app.erasure_notices to fairlead_worker;
grant select, insert, update, delete on app.erasure_notices to service_role;

-- Kept exports that may hold an erased contact, by their names in the bucket. A sweep removes them.
create table app.files_to_erase (
  name text not null,
  constraint files_to_erase_pkey primary key (name)
);
alter table app.files_to_erase enable row level security;
alter table app.files_to_erase force row level security;
create policy server on app.files_to_erase to fairlead_worker, service_role
  using (true)
  with check (true);
grant select, insert, update, delete on app.files_to_erase to service_role;

-- Keyed hashes of contact keys (nested SHA-256), 32 bytes each, in their order.
-- May be called by: fairlead_worker, service_role.
create function app.contact_hashes(keys text[])
 returns bytea[]
 language sql
 stable security definer
 set search_path to ''
as $function$
  select coalesce(
    array_agg(sha256(secret.outer_key || sha256(secret.inner_key || convert_to(one.key, 'UTF8'))) order by one.place), '{}')
  from unnest(keys) with ordinality as one (key, place), app.contact_secret as secret
$function$;

-- The first 8 bytes of each hash: enough to find the exports that held a contact.
-- May be called by: fairlead_worker, service_role.
create function app.short_hashes(keys text[])
 returns bigint[]
 language sql
 stable
 set search_path to ''
as $function$
  select coalesce(array_agg(('x' || encode(substr(one.hash, 1, 8), 'hex'))::bit(64)::bigint order by one.place), '{}')
  from unnest(app.contact_hashes(keys)) with ordinality as one (hash, place)
$function$;

-- Numbers and places of businesses that asked on the phone not to be called, which leads show only since then, with when they
-- asked: all of them, or one number.
-- May be called by: fairlead_worker, service_role.
create function app.found_after_refusals(only_number text)
 returns table(kind text, value text, asked_at timestamptz)
 language sql
 stable ROWS 10
 set search_path to ''
 set enable_seqscan to 'off'
 set enable_indexscan to 'off'
as $function$
  with refused as materialized (
    select call.phone, min(call.called_at) as asked_at from app.calls as call
    where call.outcome = 'do_not_call' and not call.sandbox
      and (only_number is null
        or call.phone = any(array(select other.beside from app.each_beside(array[only_number], false, false) as other)))
      and exists (select from app.suppressions as entry where entry.key = 'phone:' || call.phone)
    group by call.phone
  ), found as (
    select 'phone' as kind, other.beside as value, refused.asked_at
    from app.each_beside(array(select phone from refused), false, false) as other join refused on refused.phone = other.number
    union all
    select 'business', own.place_id, refused.asked_at
    from refused cross join lateral (
      select lead.place_id from public.leads as lead
        join public.lists as list on list.id = lead.list_id and not coalesce(list.sandbox, false)
      where lead.contact_keys operator(pg_catalog.@>) array['phone:' || refused.phone] and lead.place_id is not null limit 50
    ) as own
  ), new as materialized (
    select found.kind, found.value, app.suppression_key(found.kind, found.value) as key, min(found.asked_at) as asked_at from found
    where not exists (select from app.suppressions as entry where entry.key = found.kind || ':' || found.value)
    group by found.kind, found.value
  )
  select new.kind, new.value, new.asked_at from new
  -- An administrator has let it go.
  where new.key is not null and (only_number is null or new.value = only_number) and not exists (
    select from app.removed_suppressions as removed where removed.hash = any(app.contact_hashes(array[new.key])))
$function$;

-- Which past exports held a contact, by its keys.
-- May be called by: fairlead_worker, service_role.
create function app.exports_holding(keys text[])
 returns table(key text, export_id bigint)
 language sql
 stable
 set search_path to ''
 set enable_seqscan to 'off'
 set enable_indexscan to 'off'
as $function$
  select distinct wanted.key, part.export_id
  from unnest(keys, app.short_hashes(keys)) as wanted (key, hash)
    join app.export_contacts as part on part.hashes operator(pg_catalog.@>) array[wanted.hash]
$function$;

-- Which lists have a lead that carries one of these keys.
-- May be called by: fairlead_worker, service_role.
create function app.lists_holding(keys text[])
 returns setof uuid
 language sql
 stable
 set search_path to ''
 set enable_seqscan to 'off'
 set enable_indexscan to 'off'
as $function$
  select distinct lead.list_id
  from unnest(keys) as wanted (key) join public.leads as lead on lead.contact_keys operator(pg_catalog.@>) array[wanted.key]
$function$;

-- Whether one of the keys belongs to an erased contact.
-- May be called by: fairlead_worker, service_role.
create function app.is_erased(keys text[])
 returns boolean
 language plpgsql
 stable security definer
 set search_path to ''
as $function$
begin
  -- Asked first: hashing costs more than looking.
  return exists (select from app.erased_contacts)
    and exists (select from app.erased_contacts where hash = any (app.contact_hashes(keys)));
end
$function$;

-- An erased contact does not come back: a new lead that carries one is left out, and a change leaves out what is erased.
-- May be called by: fairlead_worker, service_role.
create function app.keep_erased()
 returns trigger
 language plpgsql
 security definer
 set search_path to ''
as $function$
begin
  if not exists (select from app.erased_contacts) then
    return new;
  end if;
  if tg_op = 'INSERT' then
    if app.is_erased(array_remove(array[
      app.suppression_key('phone', new.phone), app.suppression_key('email', new.email), app.suppression_key('business', new.place_id),
      app.former_email_key(new.email)
    ], null)) then
      return null;
    end if;
    return new;
  end if;
  -- What an enrichment brings to a lead: the lead stays, and the erased person is left out.
  if new.email is distinct from old.email
    and app.is_erased(array_remove(array[app.suppression_key('email', new.email), app.former_email_key(new.email)], null)) then
    new.email := null;
    new.email_confidence := null;
    new.email_verified := null;
    new.owner_name := null;
    new.owner_title := null;
  end if;
  if new.phone is distinct from old.phone and app.is_erased(array_remove(array[app.suppression_key('phone', new.phone)], null)) then
    new.phone := null;
    new.phone_type := null;
  end if;
  if new.place_id is distinct from old.place_id
    and app.is_erased(array_remove(array[app.suppression_key('business', new.place_id)], null)) then
    new.place_id := null;
  end if;
  return new;
end
$function$;

-- What stands instead of the subject of a call or an answer that is about an erased contact; null for every other.
-- May be called by: fairlead_worker, service_role.
create function app.erased_subject(operation text, subject text)
 returns text
 language plpgsql
 stable security definer
 set search_path to ''
as $function$
declare
  key text := case operation
    when 'email_verify' then app.suppression_key('email', subject)
    when 'phone_scrub' then app.suppression_key('phone', subject)
    when 'place' then app.suppression_key('business', subject)
  end;
begin
  return (
    select 'erased ' || left(encode(erased.hash, 'hex'), 16) from app.erased_contacts as erased
    where key is not null and erased.hash = any (app.contact_hashes(array[key]))
  );
end
$function$;

-- A call that leaves flight, or a recall, about an erased contact is about its hash from then on. Its cost stays.
-- May be called by: fairlead_worker, service_role.
create function app.forget_erased_subject()
 returns trigger
 language plpgsql
 security definer
 set search_path to ''
as $function$
begin
  if exists (select from app.erased_contacts) then
    new.subject := coalesce(app.erased_subject(new.operation, new.subject), new.subject);
    if tg_table_name = 'paid_calls' and new.subject like 'erased %' then
      new.idempotency_key := 'erased ' || new.id;
    end if;
  end if;
  return new;
end
$function$;

-- An answer about an erased contact is not remembered. One that names it among others is remembered without it.
-- May be called by: fairlead_worker, service_role.
create function app.forget_erased_answer()
 returns trigger
 language plpgsql
 security definer
 set search_path to ''
as $function$
begin
  if not exists (select from app.erased_contacts) then
    return new;
  end if;
  if app.erased_subject(new.operation, new.subject) is not null then
    return null;
  end if;
  if jsonb_typeof(new.answer -> 'contacts') = 'array' then
    new.answer := jsonb_set(new.answer, '{contacts}', (
      select coalesce(jsonb_agg(one.said order by one.place), '[]')
      from jsonb_array_elements(new.answer -> 'contacts') with ordinality as one (said, place)
      where not app.is_erased(array_remove(array[app.suppression_key('email', one.said ->> 'email')], null))
    ));
  end if;
  if jsonb_typeof(new.answer -> 'places') = 'array' then
    new.answer := jsonb_set(new.answer, '{places}', (
      select coalesce(jsonb_agg(one.said order by one.place), '[]')
      from jsonb_array_elements(new.answer -> 'places') with ordinality as one (said, place)
      where not app.is_erased(array_remove(array[
        app.suppression_key('phone', one.said ->> 'phone'), app.suppression_key('business', one.said ->> 'id')
      ], null))
    ));
  end if;
  return new;
end
$function$;

-- The key of a call names its subject by a keyed hash: anyone may work out a plain one of every number. Servers of the version
-- before write plain ones.
-- May be called by: fairlead_worker, service_role.
create function app.seal_call_key()
 returns trigger
 language plpgsql
 security definer
 set search_path to ''
as $function$
begin
  if strpos(new.idempotency_key, md5(new.subject)) > 0 then
    new.idempotency_key := replace(
      new.idempotency_key, md5(new.subject), encode((app.contact_hashes(array['call ' || new.subject]))[1], 'hex'));
  end if;
  return new;
end
$function$;

-- May be called by: fairlead_worker, service_role.
create function app.analyze_suppressions()
 returns void
 language plpgsql
 security definer
 set search_path to ''
as $function$
begin
  analyze (skip_locked) app.suppressions;
end $function$;

-- A row of a file that is an erased contact is stored as an empty one, so that rows keep their numbers. A cell that mentions one
-- is emptied.
-- May be called by: its owner, and triggers.
create function app.blank_erased_rows()
 returns trigger
 language plpgsql
 security definer
 set search_path to ''
as $function$
begin
  perform app.hold_erasure('imports');
  if not exists (select from app.erased_contacts) then
    return null;
  end if;
  with cells as materialized (
    select given.import_id, given.row, cell.place, cell.said, row_number() over () as at
    from given, jsonb_array_elements_text(given.cells) with ordinality as cell (said, place)
  ), known as materialized (
    select given.import_id, given.row, 0 as place, key from given, unnest(given.keys) as key
    where starts_with(key, 'phone:') or starts_with(key, 'email:')
    union all
    select cells.import_id, cells.row, cells.place, found.key
    from app.contacts_in(array(select said from cells order by at)) as found join cells on cells.at = found.place
    where found.key is not null
  ), gone as (
    -- Hashed together: a thousand calls would cost more than all else.
    select hashed.key from (select array_agg(distinct key) as keys from known) as one,
      unnest(one.keys, app.contact_hashes(one.keys)) as hashed (key, hash) join app.erased_contacts as erased using (hash)
  ), erased as (
    select known.import_id, known.row, bool_or(known.place = 0) as whole, array_agg(known.place) as places
    from known join gone using (key) group by known.import_id, known.row
  )
  update app.import_rows as staged set
    keys = case when erased.whole then '{}' else staged.keys end,
    problems = null,
    cells = case when erased.whole then '[]' else (
      select jsonb_agg(case when cell.place = any (erased.places) then '""' else cell.said end order by cell.place)
      from jsonb_array_elements(staged.cells) with ordinality as cell (said, place)) end
  from erased where staged.import_id = erased.import_id and staged.row = erased.row;
  return null;
end
$function$;

-- The same with [erased] in place of each text that holds an erased number or address in a usual spelling.
-- May be called by: fairlead_worker, service_role.
create function app.without_erased(said jsonb)
 returns jsonb
 language plpgsql
 stable security definer
 set search_path to ''
as $function$
begin
  return case jsonb_typeof(said)
    when 'string' then case
      when app.is_erased(array(select found.key from app.contacts_in(array[said #>> '{}']) as found where found.key is not null))
        then '"[erased]"' else said end
    when 'array' then (
      select coalesce(jsonb_agg(app.without_erased(one.value) order by one.place), '[]')
      from jsonb_array_elements(said) with ordinality as one (value, place))
    when 'object' then (
      select coalesce(jsonb_object_agg(one.key, app.without_erased(one.value)), '{}') from jsonb_each(said) as one (key, value))
    else said
  end;
end
$function$;

-- What people call something names no erased contact. Its arguments: the columns.
-- May be called by: its owner, and triggers.
create function app.forget_erased_names()
 returns trigger
 language plpgsql
 security definer
 set search_path to ''
as $function$
begin
  if exists (select from app.erased_contacts) then
    new := jsonb_populate_record(new, (
      select jsonb_object_agg(one.key, app.without_erased(one.value))
      from jsonb_each(to_jsonb(new)) as one (key, value) where one.key = any (tg_argv)));
  end if;
  return new;
end
$function$;

-- The keys of numbers and addresses that texts hold in their usual spellings, each with the place of its text. A key may be null.
-- May be called by: fairlead_worker, service_role.
create function app.contacts_in(texts text[])
 returns table(place bigint, key text)
 language sql
 immutable PARALLEL SAFE
 set search_path to ''
as $function$
  with said as materialized (
    select one.place, case when octet_length(one.text) = length(one.text) then one.text else normalize(one.text, nfkc) end as text
    from unnest(texts) with ordinality as one (text, place) where one.text ~ U&'[@0-9\ff10-\ff19\0660-\0669\06f0-\06f9]'
  ), counted as materialized (
    -- What is left without the signs that a number is written with, if that is all there is.
    select said.place, one.text, length(one.text) - length(translate(one.text, '0123456789', '')) as digits,
      translate(one.text, '()-./ ', '') as plain
    from said, lateral (
      select case when octet_length(said.text) = length(said.text) then said.text else app.plain_number(said.text) end as text) as one
  ), called as materialized (
    select counted.*, counted.plain ~ '^([2-9][0-9]{9}|[+]?1[0-9]{10})$' as american from counted where counted.digits >= 10
  )
  select said.place, 'email:' || app.email_key(found[1])
  from said, regexp_matches(said.text, '([^[:space:]<>(),;:"]+@[^[:space:]<>(),;:"]+)', 'g') as found where strpos(said.text, '@') > 0
  union all
  select called.place, 'phone:+1' || right(called.plain, 10) from called where called.american
  union all
  select called.place, 'phone:' || case
    when found[1] ~ '^([+]|00|011)' then app.without_trunk('+' || regexp_replace(written.digits, '^(011|00)', ''))
    when length(written.digits) = 10 then '+1' || written.digits
    when length(written.digits) = 11 and written.digits like '1%' then '+' || written.digits
  end
  from called, regexp_matches(called.text, '([+]?[0-9](?:[[:space:]().\-/]{0,3}[0-9]){9,14})', 'g') as found,
    lateral (select regexp_replace(found[1], '[^0-9]', '', 'g') as digits) as written
  where not called.american
  union all
  -- Beside each other, or beside other digits, they read as one long number above.
  select called.place, 'phone:+1' || regexp_replace(found[1], '[^0-9]', '', 'g')
  from called, regexp_matches(called.text,
    '(?<![0-9])(?:1[[:space:]().\-/]{0,3})?([2-9][0-9]{2}[[:space:]().\-/]{0,3}[2-9][0-9]{2}[[:space:]().\-/]{0,3}[0-9]{4})(?![0-9])',
    'g') as found
  where called.digits > 10 and not called.american
$function$;

-- Every key under which numbers, addresses and websites that stand in texts may be suppressed, each with the place of its text.
-- May be called by: fairlead_worker, service_role.
create function app.keys_in(texts text[])
 returns table(place bigint, key text)
 language sql
 immutable PARALLEL SAFE
 set search_path to ''
as $function$
  with found as materialized (select contact.place, contact.key from app.contacts_in(texts) as contact where contact.key is not null)
  select found.place, found.key from found
  union all
  select found.place, unnest(app.domain_keys(split_part(found.key, '@', 2))) from found where starts_with(found.key, 'email:')
  union all
  select said.place, unnest(app.domain_keys(app.host_key(said.text)))
  from unnest(texts) with ordinality as said (text, place)
  where strpos(said.text, '.') > 0 and said.text ~ '^[^[:space:]@]*[^[:space:]@0-9][.][^[:space:]@.0-9][^[:space:]@]*$'
$function$;

-- The domains that a host stands under: "a.example.com" under "example.com" as well.
-- May be called by: fairlead_worker, service_role.
create function app.domain_keys(host text)
 returns text[]
 language plpgsql
 immutable PARALLEL SAFE
 set search_path to ''
as $function$
declare
  keys text[] := '{}';
begin
  while strpos(host, '.') > 0 loop
    keys := keys || ('domain:' || host);
    host := substr(host, strpos(host, '.') + 1);
  end loop;
  return keys;
end
$function$;

-- The text, or [erased] where it mentions the contact: no one knows what else in it is about the person.
-- May be called by: fairlead_worker, service_role.
create function app.erase_in_text(said text, pattern text)
 returns text
 language sql
 immutable PARALLEL SAFE
 set search_path to ''
as $function$
  select case when said ~* pattern then '[erased]' else said end
$function$;

-- The same with every text in it. Numbers stay: they are coordinates and counts.
-- May be called by: fairlead_worker, service_role.
create function app.erase_in_json(said jsonb, pattern text)
 returns jsonb
 language plpgsql
 immutable PARALLEL SAFE
 set search_path to ''
as $function$
begin
  return case jsonb_typeof(said)
    when 'string' then to_jsonb(app.erase_in_text(said #>> '{}', pattern))
    when 'array' then (
      select coalesce(jsonb_agg(app.erase_in_json(one.value, pattern) order by one.place), '[]')
      from jsonb_array_elements(said) with ordinality as one (value, place))
    when 'object' then (
      select coalesce(jsonb_object_agg(app.erase_in_text(one.key, pattern), app.erase_in_json(one.value, pattern)), '{}')
      from jsonb_each(said) as one (key, value))
    else said
  end;
end
$function$;

-- Waits for an erasure under way, and keeps the next one waiting until the transaction ends. Taken before any lock that an
-- erasure waits for. what: imports, or open data.
-- May be called by: fairlead_worker, service_role.
create function app.hold_erasure(what text)
 returns void
 language sql
 set search_path to ''
as $function$
  select pg_advisory_xact_lock_shared(hashtextextended('erasure of ' || what, 0))
$function$;

-- Waits until no one holds the erasure any more, and keeps others waiting until the transaction ends.
-- May be called by: fairlead_worker, service_role.
create function app.await_writers(what text)
 returns void
 language sql
 set search_path to ''
as $function$
  select pg_advisory_xact_lock(hashtextextended('erasure of ' || what, 0))
$function$;

-- A text in lower case: Latin, Greek, Cyrillic, Armenian and Georgian letters. Not by lower() alone, which knows what the locale
-- knows.
-- May be called by: fairlead_worker, service_role.
create function app.folded(said text)
 returns text
 language plpgsql
 immutable PARALLEL SAFE
 set search_path to ''
as $function$
declare
  plain text := lower(said collate "C");
begin
  if octet_length(plain) <> length(plain) then
    plain := normalize(plain, nfkd);
    plain := translate(plain,
      U&'\00c6\00d0\00d8\00de\0110\0126\0141\014a\0152\0166\0181\0182\0184\0186\0187\0189\018a\018b\018e\018f\0190\0191\0193\0194' ||
      U&'\0196\0197\0198\019c\019d\019f\01a2\01a4\01a6\01a7\01a9\01ac\01ae\01b1\01b2\01b3\01b5\01b7\01b8\01bc\01e4\01f6\01f7\021c' ||
      U&'\0220\0222\0224\023a\023b\023d\023e\0241\0243\0244\0245\0246\0248\024a\024c\024e\0370\0372\0376\037f\0391\0392\0393\0394' ||
      U&'\0395\0396\0397\0398\0399\039a\039b\039c\039d\039e\039f\03a0\03a1\03a3\03a4\03a5\03a6\03a7\03a8\03a9\03cf\03d8\03da\03dc' ||
      U&'\03de\03e0\03e2\03e4\03e6\03e8\03ea\03ec\03ee\03f7\03fa\03fd\03fe\03ff\0402\0404\0405\0406\0408\0409\040a\040b\040f\0410' ||
      U&'\0411\0412\0413\0414\0415\0416\0417\0418\041a\041b\041c\041d\041e\041f\0420\0421\0422\0423\0424\0425\0426\0427\0428\0429' ||
      U&'\042a\042b\042c\042d\042e\042f\0460\0462\0464\0466\0468\046a\046c\046e\0470\0472\0474\0478\047a\047c\047e\0480\048a\048c' ||
      U&'\048e\0490\0492\0494\0496\0498\049a\049c\049e\04a0\04a2\04a4\04a6\04a8\04aa\04ac\04ae\04b0\04b2\04b4\04b6\04b8\04ba\04bc' ||
      U&'\04be\04c0\04c3\04c5\04c7\04c9\04cb\04cd\04d4\04d8\04e0\04e8\04f6\04fa\04fc\04fe\0500\0502\0504\0506\0508\050a\050c\050e' ||
      U&'\0510\0512\0514\0516\0518\051a\051c\051e\0520\0522\0524\0526\0528\052a\052c\052e\0531\0532\0533\0534\0535\0536\0537\0538' ||
      U&'\0539\053a\053b\053c\053d\053e\053f\0540\0541\0542\0543\0544\0545\0546\0547\0548\0549\054a\054b\054c\054d\054e\054f\0550' ||
      U&'\0551\0552\0553\0554\0555\0556\10a0\10a1\10a2\10a3\10a4\10a5\10a6\10a7\10a8\10a9\10aa\10ab\10ac\10ad\10ae\10af\10b0\10b1' ||
      U&'\10b2\10b3\10b4\10b5\10b6\10b7\10b8\10b9\10ba\10bb\10bc\10bd\10be\10bf\10c0\10c1\10c2\10c3\10c4\10c5\10c7\10cd\1c89\1c90' ||
      U&'\1c91\1c92\1c93\1c94\1c95\1c96\1c97\1c98\1c99\1c9a\1c9b\1c9c\1c9d\1c9e\1c9f\1ca0\1ca1\1ca2\1ca3\1ca4\1ca5\1ca6\1ca7\1ca8' ||
      U&'\1ca9\1caa\1cab\1cac\1cad\1cae\1caf\1cb0\1cb1\1cb2\1cb3\1cb4\1cb5\1cb6\1cb7\1cb8\1cb9\1cba\1cbd\1cbe\1cbf\1e9e\1efa\1efc' ||
      U&'\1efe',
      U&'\00e6\00f0\00f8\00fe\0111\0127\0142\014b\0153\0167\0253\0183\0185\0254\0188\0256\0257\018c\01dd\0259\025b\0192\0260\0263' ||
      U&'\0269\0268\0199\026f\0272\0275\01a3\01a5\0280\01a8\0283\01ad\0288\028a\028b\01b4\01b6\0292\01b9\01bd\01e5\0195\01bf\021d' ||
      U&'\019e\0223\0225\2c65\023c\019a\2c66\0242\0180\0289\028c\0247\0249\024b\024d\024f\0371\0373\0377\03f3\03b1\03b2\03b3\03b4' ||
      U&'\03b5\03b6\03b7\03b8\03b9\03ba\03bb\03bc\03bd\03be\03bf\03c0\03c1\03c3\03c4\03c5\03c6\03c7\03c8\03c9\03d7\03d9\03db\03dd' ||
      U&'\03df\03e1\03e3\03e5\03e7\03e9\03eb\03ed\03ef\03f8\03fb\037b\037c\037d\0452\0454\0455\0456\0458\0459\045a\045b\045f\0430' ||
      U&'\0431\0432\0433\0434\0435\0436\0437\0438\043a\043b\043c\043d\043e\043f\0440\0441\0442\0443\0444\0445\0446\0447\0448\0449' ||
      U&'\044a\044b\044c\044d\044e\044f\0461\0463\0465\0467\0469\046b\046d\046f\0471\0473\0475\0479\047b\047d\047f\0481\048b\048d' ||
      U&'\048f\0491\0493\0495\0497\0499\049b\049d\049f\04a1\04a3\04a5\04a7\04a9\04ab\04ad\04af\04b1\04b3\04b5\04b7\04b9\04bb\04bd' ||
      U&'\04bf\04cf\04c4\04c6\04c8\04ca\04cc\04ce\04d5\04d9\04e1\04e9\04f7\04fb\04fd\04ff\0501\0503\0505\0507\0509\050b\050d\050f' ||
      U&'\0511\0513\0515\0517\0519\051b\051d\051f\0521\0523\0525\0527\0529\052b\052d\052f\0561\0562\0563\0564\0565\0566\0567\0568' ||
      U&'\0569\056a\056b\056c\056d\056e\056f\0570\0571\0572\0573\0574\0575\0576\0577\0578\0579\057a\057b\057c\057d\057e\057f\0580' ||
      U&'\0581\0582\0583\0584\0585\0586\2d00\2d01\2d02\2d03\2d04\2d05\2d06\2d07\2d08\2d09\2d0a\2d0b\2d0c\2d0d\2d0e\2d0f\2d10\2d11' ||
      U&'\2d12\2d13\2d14\2d15\2d16\2d17\2d18\2d19\2d1a\2d1b\2d1c\2d1d\2d1e\2d1f\2d20\2d21\2d22\2d23\2d24\2d25\2d27\2d2d\1c8a\10d0' ||
      U&'\10d1\10d2\10d3\10d4\10d5\10d6\10d7\10d8\10d9\10da\10db\10dc\10dd\10de\10df\10e0\10e1\10e2\10e3\10e4\10e5\10e6\10e7\10e8' ||
      U&'\10e9\10ea\10eb\10ec\10ed\10ee\10ef\10f0\10f1\10f2\10f3\10f4\10f5\10f6\10f7\10f8\10f9\10fa\10fd\10fe\10ff\00df\1efb\1efd' ||
      U&'\1eff');
    plain := normalize(lower(plain collate "C"), nfc);
  end if;
  return plain;
end
$function$;

-- A label of a domain in ASCII, without the "xn--" before it (RFC 3492).
-- May be called by: fairlead_worker, service_role.
create function app.punycode(label text)
 returns text
 language plpgsql
 immutable PARALLEL SAFE
 set search_path to ''
as $function$
declare
  points bigint[] := array(
    select ascii(one.letter) from unnest(string_to_array(label, null)) with ordinality as one (letter, place) order by one.place);
  written text := regexp_replace(label collate "C", '[^\x01-\x7f]', '', 'g');
  basic integer := length(written);
  handled integer := basic;
  reached bigint := 128;
  following bigint;
  delta bigint := 0;
  bias bigint := 72;
  point bigint;
  rest bigint;
  step bigint;
  threshold bigint;
begin
  if basic > 0 then
    written := written || '-';
  end if;
  while handled < cardinality(points) loop
    following := (select min(one.point) from unnest(points) as one (point) where one.point >= reached);
    delta := delta + (following - reached) * (handled + 1);
    reached := following;
    foreach point in array points loop
      if point < reached then
        delta := delta + 1;
      elsif point = reached then
        rest := delta;
        step := 36;
        loop
          threshold := greatest(1, least(26, step - bias));
          exit when rest < threshold;
          written := written || substr('abcdefghijklmnopqrstuvwxyz0123456789',
            (threshold + (rest - threshold) % (36 - threshold))::integer + 1, 1);
          rest := (rest - threshold) / (36 - threshold);
          step := step + 36;
        end loop;
        written := written || substr('abcdefghijklmnopqrstuvwxyz0123456789', rest::integer + 1, 1);
        delta := delta / case when handled = basic then 700 else 2 end;
        handled := handled + 1;
        delta := delta + delta / handled;
        bias := 0;
        while delta > 455 loop
          delta := delta / 35;
          bias := bias + 36;
        end loop;
        bias := bias + 36 * delta / (delta + 38);
        delta := 0;
      end if;
    end loop;
    delta := delta + 1;
    reached := reached + 1;
  end loop;
  return written;
end
$function$;

-- A host as the domain name system has it: international labels in ASCII.
-- May be called by: fairlead_worker, service_role.
create function app.ascii_host(host text)
 returns text
 language plpgsql
 immutable PARALLEL SAFE
 set search_path to ''
as $function$
declare
  folded text;
begin
  if octet_length(host) = length(host) then
    return host;
  end if;
  folded := app.folded(translate(host, U&'\3002\ff0e\ff61\00ad\200b\200c\200d\2060\feff', '...'));
  return (
    select string_agg(case when octet_length(one.label) = length(one.label) or length(one.label) > 63 then one.label
      else 'xn--' || app.punycode(one.label) end, '.' order by one.place)
    from unnest(string_to_array(folded, '.')) with ordinality as one (label, place)
  );
end
$function$;

-- A number with its country code, without what only those dial who call from within, such as the 0 in "+44 (0)20".
-- May be called by: fairlead_worker, service_role.
create function app.without_trunk(number text)
 returns text
 language sql
 immutable PARALLEL SAFE
 set search_path to ''
as $function$
  select regexp_replace(regexp_replace(case
      -- Mexico's 1 before mobile numbers, 01, 044 and 045, all without meaning since 2019.
      when number like '+52%' then regexp_replace(number, '^\+52(?:0?1|04[45])([2-9][0-9]{9})$', '+52\1')
      when number like '+36%' then regexp_replace(number, '^\+3606([1-9][0-9]{7,8})$', '+36\1')
      -- 8, of Russia and its neighbors. Only a number that is one digit too long begins with it.
      when number ~ '^\+(7|37|99)' then
        regexp_replace(number, '^(\+7(?=8[0-9]{10}$)|\+370(?=8[0-9]{8}$)|\+993(?=8[0-9]{8}$)|\+375(?=80?[1-9][0-9]{8}$))80?', '\1')
      -- Argentina's 15 behind the area code of a mobile number, which is a 9 before it from abroad.
      when number like '+54%' then
        regexp_replace(number, '^\+540?9?(?:(11)15([0-9]{8})|([23][0-9]{2})15([0-9]{7})|([23][0-9]{3})15([0-9]{6}))$', '+549\1\2\3\4\5\6')
      else number end,
    -- In these countries the 0 is part of the number.
    '^(\+(?!39|378|22[5679]|24[12]|676|853|992)(?:7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]'
    '|(?:2[1-689]|3[578]|42|5[09]|6[7-9]|8[0578]|9[679])[0-9]))0+(?=[1-9])', '\1'),
    '^\+11([2-9][0-9]{9})$', '+1\1')
$function$;

-- A number in lower case without its extension. Nothing is taken from a number that would not be whole without it.
-- May be called by: fairlead_worker, service_role.
create function app.without_extension(said text)
 returns text
 language plpgsql
 immutable PARALLEL SAFE
 set search_path to ''
as $function$
declare
  -- Extensions in the words that people and libraries use.
  marked text := regexp_replace(said,
    U&'[,;]?\\s*(?<![a-z])(e?xt(ensi(\00f3|o\0301?))?n?|extension|anexo|int|[\0414\0434]\043e\0431|[x#~]|;ext=)[\\s.:=,-]*\\d{1,9}#?[^0-9a-z]*$', '');
  bare text;
begin
  if marked <> said and length(regexp_replace(marked, '[^0-9a-z]', '', 'g')) >= (case when said ~ '^(00|011)|[+]' then 8 else 10 end) then
    return marked;
  end if;
  -- Without such a word, the digits at the end may be part of the number: "303-555-0142#" and "+44 20 7946, 0958".
  bare := regexp_replace(said, '([\s-]+\d{1,5}#|[,;]+\s*\d{1,7}#?)[^0-9a-z]*$', '');
  return case when length(regexp_replace(regexp_replace(bare, '[^0-9]', '', 'g'), '^(011|00)', ''))
    >= case when said ~ '^(00|011)|[+]' then 11 else 10 end then bare else said end;
end
$function$;

-- A text with the digits of Arabic and Persian as others, with one kind of dash and point between them, and without marks that no
-- one sees.
-- May be called by: fairlead_worker, service_role.
create function app.plain_number(said text)
 returns text
 language sql
 immutable PARALLEL SAFE
 set search_path to ''
as $function$
  select translate(normalize(said, nfkc),
    U&'\0660\0661\0662\0663\0664\0665\0666\0667\0668\0669\06f0\06f1\06f2\06f3\06f4\06f5\06f6\06f7\06f8\06f9'
      '\2010\2011\2012\2013\2014\2015\2212\00b7\2022\00ad\200b\200c\200d\200e\200f\202a\202b\202c\202d\202e\2060\2066\2067\2068\2069\feff',
    '01234567890123456789-------..')
$function$;

-- A number in one spelling: E.164 without an extension. Without a country code it is read as American, and of several the first
-- is read; null where that fails.
-- May be called by: fairlead_worker, service_role.
create function app.phone_key(phone text)
 returns text
 language plpgsql
 immutable PARALLEL SAFE
 set search_path to ''
as $function$
declare
  plain text := translate(phone, ' -', '');
  said text;
  called text;
  digits text;
begin
  -- The same as below says, in a quarter of the time.
  if plain ~ '^\+(1[0-9]{10}|[2-9][0-9]{7,14})$' then
    return case when plain like '+1%' then plain else app.without_trunk(plain) end;
  end if;
  -- Marks of direction and the like may stand before a number, and "tel:".
  said := case when octet_length(phone) = length(phone) then phone else app.plain_number(phone) end;
  said := regexp_replace(lower(said collate "C"), '^[^+0-9a-z]*(tel:)?[^+0-9a-z]*', '');
  if said ~ '[^-+0-9() ./]' then
    said := app.without_extension(said);
  end if;
  foreach called in array array[
    -- With words around it, the number is what stands in digits. Letters on a keypad are the last that is tried.
    case when said !~ '[a-z]' then said end,
    substring(said from '\+[2-9](?:[\s().\-/]{0,3}[0-9]){7,14}(?![0-9])'),
    substring(said from '(?<![0-9])(?:1[\s().\-/]{0,3})?[2-9][0-9]{2}[\s().\-/]{0,3}[2-9][0-9]{2}[\s().\-/]{0,3}[0-9]{4}(?![0-9])'),
    case when said ~ '[a-z]' then translate(said, 'abcdefghijklmnopqrstuvwxyz', '22233344455566677778889999') end
  ] loop
    digits := regexp_replace(called, '[^0-9]', '', 'g');
    digits := case
      when called ~ '^(\+|00|011)' and length(digits) between 8 and 18 then app.without_trunk('+' || regexp_replace(digits, '^(011|00)', ''))
      when length(digits) = 10 then '+1' || digits
      when length(digits) = 11 and digits like '1%' then '+' || digits
    end;
    -- No number is longer.
    if digits !~ '^\+(1[0-9]{11}|[0-9]{16})' then
      return digits;
    end if;
  end loop;
  return null;
end
$function$;

-- An address in lower case, without what its provider ignores: tags, the dots of Gmail, and dots, hyphens and underscores of
-- Proton. Null for what is no address.
-- May be called by: fairlead_worker, service_role.
create function app.email_key(email text)
 returns text
 language plpgsql
 immutable PARALLEL SAFE
 set search_path to ''
as $function$
declare
  is_plain constant boolean := octet_length(email) = length(email);
  plain text := lower(email collate "C");
  -- Most are written like this: nothing stands around them, and nothing in them makes them none.
  is_bare constant boolean := plain ~ '^[a-z0-9._%+-]+@[a-z0-9-]+(\.[a-z0-9-]+)+$';
  name text;
  host text;
begin
  if not is_bare then
    plain := regexp_replace(btrim(regexp_replace(plain, '^.*<([^<>]*)>\s*$', '\1'), E' \t\r\n'), '^mailto:|\?.*$', '', 'g');
  end if;
  if not is_plain then
    plain := btrim(app.folded(translate(plain,
      U&'\00a0\00ad\200b\200c\200d\200e\200f\202a\202b\202c\202d\202e\2060\2066\2067\2068\2069\feff', ' ')));
  end if;
  name := split_part(plain, '@', 1);
  host := rtrim(case when is_plain then split_part(plain, '@', 2) else app.ascii_host(split_part(plain, '@', 2)) end, '.');
  if not is_bare and plain ~ '[\s;,"<>()]|@.*@' then
    return null;
  end if;
  host := case when host = 'googlemail.com' then 'gmail.com' else host end;
  name := case
    when host = 'gmail.com' then replace(split_part(name, '+', 1), '.', '')
    when host in ('proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me') then translate(split_part(name, '+', 1), '.-_', '')
    when host in ('icloud.com', 'me.com', 'mac.com', 'msn.com', 'fastmail.com')
      or host ~ '^(outlook|hotmail|live)\.(com|[a-z]{2}|com?\.[a-z]{2})$' then split_part(name, '+', 1)
    else name end;
  return case when name <> '' and host like '%_._%' then name || '@' || host end;
end
$function$;

-- Under which key an address at Proton or at an international domain was erased before 2026-11-26; null for every other.
-- May be called by: fairlead_worker, service_role.
create function app.former_email_key(email text)
 returns text
 language sql
 immutable PARALLEL SAFE
 set search_path to ''
as $function$
  select case when host in ('proton.me', 'protonmail.com', 'pm.me') then 'email:' || split_part(name, '+', 1) || '@' || host
    when octet_length(email) <> length(email) then 'email:' || name || '@' || host end
  from (select lower(btrim(email) collate "C") as plain) as one,
    lateral (select split_part(plain, '@', 1) as name, split_part(plain, '@', 2) as host) as parts
$function$;

-- The host of a website or domain in lower case and in ASCII, without "www.".
-- May be called by: fairlead_worker, service_role.
create function app.host_key(address text)
 returns text
 language plpgsql
 immutable PARALLEL SAFE
 set search_path to ''
as $function$
declare
  is_plain constant boolean := octet_length(address) = length(address);
  host text;
begin
  if is_plain then
    host := lower(btrim(address) collate "C");
    host := split_part(substr(host, case when starts_with(host, 'https://') then 9 when starts_with(host, 'http://') then 8 else 1 end), '/', 1);
    -- Most are written like this. The same as below says, in a third of the time.
    if host ~ '^[a-z0-9-]+(\.[a-z0-9-]+)+$' then
      return nullif(case when starts_with(host, 'www') then regexp_replace(host, '^www\d?\.', '') else host end, '');
    end if;
  end if;
  host := substring(
    case when is_plain then lower(btrim(address) collate "C")
      else app.folded(btrim(translate(address, U&'\3002\ff0e\ff61\00a0', '... '))) end
    -- Browsers read a backslash as a slash, and overlook more than two.
    from '^(?:[a-z][a-z0-9+.-]*:[/\\]{2,})?(?:[^/\\?#]*@)?([^/\\?#:@\s]+\.[^/\\?#:@\s.]+)\.?(?:[:/\\?#]|$)');
  return nullif(regexp_replace(case when is_plain then host else app.ascii_host(host) end, '^www\d?\.', ''), '');
end
$function$;

-- A name in lower case, without accents, punctuation, "and", and legal form. Null where nothing else is left.
-- May be called by: fairlead_worker, service_role.
create function app.company_key(name text)
 returns text
 language plpgsql
 immutable PARALLEL SAFE
 set search_path to ''
as $function$
declare
  plain text := lower(name collate "C");
  -- The first two are a legal form only behind other words.
  endings constant text[] := array[
    'rl', 'oo', 'pa', 'lc', 'ulc', 'lllp', 'pty', 'proprietary', 'pte', 'pvt', 'private', 'sdn', 'bhd', 'gmbh', 'mbh', 'ag', 'kg', 'kgaa', 'ohg', 'ug', 'gbr',
    'sarl', 'sas', 'sasu', 'eurl', 'snc', 'sa', 'srl', 'sl', 'slu', 'bv', 'nv', 'vof', 'cv', 'ab', 'oy', 'oyj', 'aps', 'sro', 'doo', 'kft', 'ltda', 'ltee'];
  -- Of one word, wherever they stand; and no word at all.
  forms constant text[] := array[
    'incorporated', 'inc', 'llc', 'llp', 'lp', 'ltd', 'co', 'company', 'corp', 'corporation', 'pllc', 'pc', 'plc', 'and', ''];
  words text[];
  word text;
  short text := '';
begin
  if octet_length(plain) = length(plain) and length(plain) <= 100 and (strpos(plain, '.') = 0 or plain !~ '(s\.p\.a|e\.v|e\.k)\.? *$') then
    words := string_to_array(regexp_replace(translate(plain, '''.', ''), '[^a-z0-9]+', ' ', 'g'), ' ');
    -- Most have no other forms. The same as below says, in a third of the time.
    if not words && endings and not words && array['limited', 'professional', 'public', 'l', 'p'] then
      foreach word in array words loop
        if word <> all (forms) then
          short := short || ' ' || word;
        end if;
      end loop;
      return nullif(substr(short, 2), '');
    end if;
  end if;
  if octet_length(plain) <> length(plain) then
    plain := regexp_replace(normalize(app.folded(plain), nfkd), U&'[\2019\0300-\036f\00ad\200b-\200f\2060\feff]', '', 'g');
    plain := replace(translate(plain, U&'\03c2', U&'\03c3'), U&'\00df', 'ss');
    -- Signs and punctuation. Letters of all scripts stay, without asking the locale for them.
    plain := regexp_replace(plain, U&'[\0080-\00a9\00ab-\00b4\00b6-\00b9\00bb-\00bf\00d7\00f7\055a-\055f\0589\058a\05be\05c0\05c3\05f3' ||
      U&'\05f4\060c\061b\061f\066a-\066d\06d4\0964\0965\2000-\206f\20a0-\20cf\2190-\2bff\2e00-\2e7f\3000-\3004\3008-\3020\3030' ||
      U&'\303d\30a0\30fb\fe00-\fe0f\fe30-\fe4f\+01f000-\+01faff\+0e0000-\+0e01ef]+', ' ', 'g');
  end if;
  if strpos(plain, '.') > 0 then
    -- These are words, without their dots.
    plain := regexp_replace(plain, '(?<![a-z0-9.])(s\.p\.a|e\.v|e\.k)\.? *$', ' gmbh');
  end if;
  -- Each space twice, so that words beside each other both have their own.
  plain := left(btrim(regexp_replace(translate(plain, '''.', ''), '[\x01-\x2f\x3a-\x60\x7b-\x7f]+', '  ', 'g')), 400);
  plain := regexp_replace(' ' || plain || ' ',
    ' (?:limited  liability  (?:company|co|partnership|limited  partnership)|limited  partnership|public  limited  company'
    '|professional  (?:association|corporation|limited  liability  company)'
    '|incorporated|inc|llc|llp|lp|ltd|limited|co|company|corp|corporation|pllc|pc|plc|and) ', ' ', 'g');
  plain := btrim(regexp_replace(plain, ' +', ' ', 'g'));
  -- In letters by themselves, as registers write it: "L L C", "P. C.". Behind a single letter, two are initials.
  if strpos(plain, ' l ') > 0 or strpos(plain, ' p ') > 0 then
    plain := regexp_replace(plain, '(?<=[^ ])(?: (?:p l l c|l l c|l l p)|(?<=[^ ][^ ]) (?:p c|l p))$', '');
  end if;
  -- At the end alone, behind a name: elsewhere they are words.
  if split_part(plain, ' ', -1) = any (endings) then
    plain := regexp_replace(plain, '(?<=[^ ])(?: (?:sa rl|sa de cv|s de rl(?: de cv)?|sp z oo|' || array_to_string(endings[3:], '|') || '))+$', '');
  end if;
  return nullif(rtrim(left(plain, 300)), '');
end
$function$;

-- Under which key an entry stands; null where the value is none of its kind.
-- May be called by: fairlead_worker, service_role.
create function app.suppression_key(kind text, value text)
 returns text
 language plpgsql
 immutable PARALLEL SAFE
 set search_path to ''
as $function$
begin
  return kind || ':' || case kind
    when 'phone' then app.phone_key(value)
    when 'email' then app.email_key(value)
    when 'domain' then app.host_key(value)
    when 'business' then nullif(btrim(value), '')
    when 'company' then app.company_key(value)
  end;
end
$function$;

-- Every key under which a contact may be suppressed.
-- May be called by: fairlead_worker, service_role.
create function app.contact_keys(phone text, email text, website text, place_id text, name text)
 returns text[]
 language plpgsql
 immutable PARALLEL SAFE
 set search_path to ''
as $function$
declare
  address text := app.email_key(email);
  keys text[] := array_remove(array[
    'phone:' || app.phone_key(phone), 'email:' || address, 'business:' || nullif(btrim(place_id), ''),
    'company:' || app.company_key(name)
  ], null);
  host text;
begin
  -- A domain means all below it: "a.example.com" stands under "example.com" as well.
  foreach host in array array[app.host_key(website), split_part(address, '@', 2)] loop
    while strpos(host, '.') > 0 loop
      exit when 'domain:' || host = any(keys);
      keys := keys || ('domain:' || host);
      host := substr(host, strpos(host, '.') + 1);
    end loop;
  end loop;
  return keys;
end
$function$;
