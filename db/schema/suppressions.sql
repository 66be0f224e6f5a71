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
grant select, insert on app.suppressions to fairlead_worker;
grant select, insert, update, delete on app.suppressions to service_role;

create table app.suppression_settings (
  singleton boolean not null default true,
  public_page boolean not null default false, -- Whether strangers may suppress their own number or address at /stop.
  crm_statuses boolean not null default false,
  crm_tag_id text,
  crm_tag_name text,
  watched_to timestamptz not null default now(), -- Entries before it have been compared with past exports.
  constraint suppression_settings_pkey primary key (singleton),
  constraint suppression_settings_check check ((crm_tag_id is null) = (crm_tag_name is null)),
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
  constraint crm_pull_pkey primary key (singleton),
  constraint crm_pull_failure_check check (char_length(failure) <= 500),
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
  constraint crm_asked_pkey primary key (hash)
);
create index crm_asked_asked_at_idx on app.crm_asked (asked_at);
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
  constraint stop_requests_pkey primary key (id),
  constraint stop_requests_key_key unique (key),
  constraint stop_requests_key_check check (key ~ '^(phone|email):' and char_length(key) <= 400)
);
create index stop_requests_asked_at_idx on app.stop_requests (asked_at);
alter table app.stop_requests enable row level security;
alter table app.stop_requests force row level security;
create policy server on app.stop_requests to fairlead_worker, service_role
  using (true)
  with check (true);
grant select, delete on app.stop_requests to fairlead_worker;
grant select, insert, update, delete on app.stop_requests to service_role;

-- Files of leads that left Fairlead, kept for five years. They outlive their list and the account that saved them.
create table app.exports (
  id bigint not null generated always as identity,
  user_id uuid,
  list_id uuid not null,
  list_name text not null,
  file_name text not null,
  leads integer not null default 0, -- How many have been sent so far. A download that broke off has fewer than were chosen.
  exported_at timestamptz not null default now(),
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
      app.suppression_key('phone', new.phone), app.suppression_key('email', new.email), app.suppression_key('business', new.place_id)
    ], null)) then
      return null;
    end if;
    return new;
  end if;
  -- What an enrichment brings to a lead: the lead stays, and the erased person is left out.
  if new.email is distinct from old.email and app.is_erased(array_remove(array[app.suppression_key('email', new.email)], null)) then
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
    from unnest(texts) with ordinality as one (text, place) where one.text ~ '[@0-9０-９]'
  ), counted as materialized (
    -- What is left without the signs that a number is written with, if that is all there is.
    select said.place, said.text, length(said.text) - length(translate(said.text, '0123456789', '')) as digits,
      translate(said.text, '()-./ ', '') as plain
    from said
  ), called as materialized (
    select counted.*, counted.plain ~ '^([2-9][0-9]{9}|[+]?1[0-9]{10})$' as american from counted where counted.digits >= 10
  )
  select said.place, 'email:' || app.email_key(found[1])
  from said, regexp_matches(said.text, '([^[:space:]<>(),;:"]+@[^[:space:]<>(),;:"]+)', 'g') as found where strpos(said.text, '@') > 0
  union all
  select called.place, 'phone:+1' || right(called.plain, 10) from called where called.american
  union all
  select called.place, 'phone:' || case
    when found[1] ~ '^([+]|00|011)' then '+' || regexp_replace(written.digits, '^(011|00)', '')
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
  where called.digits > 11
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

-- A number in one spelling: E.164 without an extension. Without a country code it is read as American; null where that fails.
-- May be called by: fairlead_worker, service_role.
create function app.phone_key(phone text)
 returns text
 language plpgsql
 immutable PARALLEL SAFE
 set search_path to ''
as $function$
declare
  plain text := translate(phone, ' -', '');
  called text;
  digits text;
begin
  -- The same as below says, in a quarter of the time.
  if plain ~ '^\+[1-9][0-9]{7,17}$' then
    return plain;
  end if;
  -- Marks of direction and the like may stand before a number, and "tel:".
  called := translate(
    regexp_replace(
      regexp_replace(lower(normalize(phone, nfkc)), '^[^+0-9a-z]*(tel:)?[^+0-9a-z]*', ''),
      '([,;]?\s*(?<![a-z])(extension|ext\.?|x|#|;ext=)[\s.:=]*\d{1,7}|[,;]+\s*\d{1,7})\s*$', ''),
    'abcdefghijklmnopqrstuvwxyz', '22233344455566677778889999');
  digits := regexp_replace(called, '[^0-9]', '', 'g');
  return case
    when called ~ '^(\+|00|011)' and length(digits) between 8 and 18 then '+' || regexp_replace(digits, '^(011|00)', '')
    when length(digits) = 10 then '+1' || digits
    when length(digits) = 11 and digits like '1%' then '+' || digits
  end;
end
$function$;

-- An address in lower case, without what its provider ignores: tags, and the dots of Gmail. Null for what is no address.
-- May be called by: fairlead_worker, service_role.
create function app.email_key(email text)
 returns text
 language plpgsql
 immutable PARALLEL SAFE
 set search_path to ''
as $function$
declare
  plain text := regexp_replace(btrim(lower(regexp_replace(email, '^.*<([^<>]*)>\s*$', '\1')), E' \t\r\n'), '^mailto:|\?.*$', '', 'g');
  name text := split_part(plain, '@', 1);
  host text := split_part(plain, '@', 2);
begin
  host := case when host in ('googlemail.com', 'gmail.com') then 'gmail.com' else rtrim(host, '.') end;
  name := case
    when host = 'gmail.com' then replace(split_part(name, '+', 1), '.', '')
    when host in ('icloud.com', 'me.com', 'mac.com', 'msn.com', 'fastmail.com', 'proton.me', 'protonmail.com', 'pm.me')
      or host ~ '^(outlook|hotmail|live)\.(com|[a-z]{2}|com?\.[a-z]{2})$' then split_part(name, '+', 1)
    else name end;
  return case when name <> '' and host like '%_._%' then name || '@' || host end;
end
$function$;

-- The host of a website or domain in lower case, without "www.".
-- May be called by: fairlead_worker, service_role.
create function app.host_key(address text)
 returns text
 language plpgsql
 immutable PARALLEL SAFE
 set search_path to ''
as $function$
begin
  return nullif(regexp_replace(
    substring(lower(btrim(address)) from '^(?:[a-z][a-z0-9+.-]*://)?(?:[^/?#@]*@)?([^/?#:@\s]+\.[^/?#:@\s.]+)\.?(?:[:/?#]|$)'),
    '^www\d?\.', ''), '');
end
$function$;

-- A name in lower case, without accents, punctuation, "and", and legal form.
-- May be called by: fairlead_worker, service_role.
create function app.company_key(name text)
 returns text
 language plpgsql
 immutable PARALLEL SAFE
 set search_path to ''
as $function$
declare
  plain text := left(btrim(regexp_replace(
    regexp_replace(lower(normalize(name, nfkd)), '[’''.\u0300-\u036f]', '', 'g'), '[^[:alnum:]]+', ' ', 'g')), 300);
begin
  return nullif(coalesce(nullif(btrim(regexp_replace(
    regexp_replace(plain, '\m(incorporated|inc|llc|llp|lp|ltd|limited|co|company|corp|corporation|pllc|pc|plc|and)\M', ' ', 'g'),
    '\s+', ' ', 'g')), ''), plain), '');
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
