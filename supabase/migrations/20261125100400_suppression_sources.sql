-- Where suppressions come from, which past exports held a contact, and what remains of one that was erased.

-- Numbers, addresses and names in more spellings.

create or replace function app.phone_key(phone text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  -- Marks of direction and the like may stand before a number, and "tel:".
  called text := translate(
    regexp_replace(
      regexp_replace(lower(normalize(phone, nfkc)), '^[^+0-9a-z]*(tel:)?[^+0-9a-z]*', ''),
      '([,;]?\s*(?<![a-z])(extension|ext\.?|x|#|;ext=)[\s.:=]*\d{1,7}|[,;]+\s*\d{1,7})\s*$', ''),
    'abcdefghijklmnopqrstuvwxyz', '22233344455566677778889999');
  digits text := regexp_replace(called, '[^0-9]', '', 'g');
begin
  return case
    when called ~ '^(\+|00|011)' and length(digits) between 8 and 18 then '+' || regexp_replace(digits, '^(011|00)', '')
    when length(digits) = 10 then '+1' || digits
    when length(digits) = 11 and digits like '1%' then '+' || digits
  end;
end
$$;

create or replace function app.email_key(email text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
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
$$;

create or replace function app.company_key(name text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  plain text := left(btrim(regexp_replace(
    regexp_replace(lower(normalize(name, nfkd)), '[’''.\u0300-\u036f]', '', 'g'), '[^[:alnum:]]+', ' ', 'g')), 300);
begin
  return nullif(coalesce(nullif(btrim(regexp_replace(
    regexp_replace(plain, '\m(incorporated|inc|llc|llp|lp|ltd|limited|co|company|corp|corporation|pllc|pc|plc|and)\M', ' ', 'g'),
    '\s+', ' ', 'g')), ''), plain), '');
end
$$;
comment on function app.company_key is 'A name in lower case, without accents, punctuation, "and", and legal form.';

update public.leads set phone = phone
where contact_keys is distinct from app.contact_keys(phone, email, website, place_id, business_name);
insert into app.suppressions (kind, key, note, source, added_by, added_at)
select kind, app.suppression_key(kind, substr(key, length(kind) + 2)), note, source, added_by, added_at from app.suppressions
where app.suppression_key(kind, substr(key, length(kind) + 2)) is not null
on conflict (key) do nothing;
delete from app.suppressions
where app.suppression_key(kind, substr(key, length(kind) + 2)) is distinct from key;

-- Contacts as keyed hashes. The secret has no grants: only functions of its owner read it.

create table app.contact_secret (
  singleton boolean primary key default true check (singleton),
  inner_key bytea not null check (length(inner_key) = 64),
  outer_key bytea not null check (length(outer_key) = 64)
);
comment on table app.contact_secret is
  'The key of the hashes of contacts. No role has rights on it: app.contact_hashes alone reads it. A backup holds it.';
insert into app.contact_secret (inner_key, outer_key)
select string_agg(uuid_send(gen_random_uuid()), '') filter (where n <= 4), string_agg(uuid_send(gen_random_uuid()), '') filter (where n > 4)
from generate_series(1, 8) as n;
alter table app.contact_secret enable row level security;
alter table app.contact_secret force row level security;
create policy server on app.contact_secret using (true) with check (true);

create function app.contact_hashes(keys text[]) returns bytea[]
language sql stable security definer set search_path = '' as $$
  select coalesce(
    array_agg(sha256(secret.outer_key || sha256(secret.inner_key || convert_to(one.key, 'UTF8'))) order by one.place), '{}')
  from unnest(keys) with ordinality as one (key, place), app.contact_secret as secret
$$;
comment on function app.contact_hashes is 'Keyed hashes of contact keys (nested SHA-256), 32 bytes each, in their order.';

create function app.short_hashes(keys text[]) returns bigint[] language sql stable set search_path = '' as $$
  select coalesce(array_agg(('x' || encode(substr(one.hash, 1, 8), 'hex'))::bit(64)::bigint order by one.place), '{}')
  from unnest(app.contact_hashes(keys)) with ordinality as one (hash, place)
$$;
comment on function app.short_hashes is 'The first 8 bytes of each hash: enough to find the exports that held a contact.';

-- Past exports and whom they held.

create table app.exports (
  id bigint generated always as identity primary key,
  user_id uuid references auth.users on delete set null,
  list_id uuid not null,
  list_name text not null check (char_length(list_name) <= 250),
  file_name text not null check (char_length(file_name) <= 300),
  leads integer not null default 0 check (leads >= 0),
  exported_at timestamptz not null default now()
);
comment on table app.exports is
  'Files of leads that left Fairlead, kept for five years. They outlive their list and the account that saved them.';
comment on column app.exports.leads is 'How many have been sent so far. A download that broke off has fewer than were chosen.';
create index exports_user_id_idx on app.exports (user_id, id);
create index exports_exported_at_idx on app.exports (exported_at);

create table app.export_contacts (
  export_id bigint not null references app.exports on delete cascade,
  part integer not null,
  hashes bigint[] not null,
  primary key (export_id, part)
);
comment on table app.export_contacts is 'Whom each export held, by app.short_hashes: a row for each part of the file.';
-- Without a list of what is pending: thousands of keys may be looked up at once, and each would read it.
create index export_contacts_hashes_idx on app.export_contacts using gin (hashes) with (fastupdate = off);
alter index public.leads_contact_keys_idx set (gin_pending_list_limit = 256);

-- An overlap with thousands of keys reads everything, and so does a join in a table that looks small: the planner does not know that
-- arrays are long. Without its other ways, these look into the index for each key.
create function app.exports_holding(keys text[]) returns table (key text, export_id bigint)
language sql stable set search_path = '' set enable_seqscan = off set enable_indexscan = off as $$
  select distinct wanted.key, part.export_id
  from unnest(keys, app.short_hashes(keys)) as wanted (key, hash)
    join app.export_contacts as part on part.hashes operator(pg_catalog.@>) array[wanted.hash]
$$;
comment on function app.exports_holding is 'Which past exports held a contact, by its keys.';

create function app.lists_holding(keys text[]) returns setof uuid
language sql stable set search_path = '' set enable_seqscan = off set enable_indexscan = off as $$
  select distinct lead.list_id
  from unnest(keys) as wanted (key) join public.leads as lead on lead.contact_keys operator(pg_catalog.@>) array[wanted.key]
$$;
comment on function app.lists_holding is 'Which lists have a lead that carries one of these keys.';
revoke all on function app.exports_holding, app.lists_holding from public;
grant execute on function app.exports_holding, app.lists_holding to fairlead_worker, service_role;

create table app.suppression_notices (
  suppression_id uuid not null references app.suppressions on delete cascade,
  user_id uuid not null references auth.users on delete cascade,
  mailed_at timestamptz not null default now(),
  primary key (suppression_id, user_id)
);
comment on table app.suppression_notices is 'Who has been mailed that their exports held a contact: once for each.';
create index suppression_notices_user_id_idx on app.suppression_notices (user_id);

-- Settings, and where they come from besides people who work here.

create table app.suppression_settings (
  singleton boolean primary key default true check (singleton),
  public_page boolean not null default false,
  crm_statuses boolean not null default false,
  crm_tag_id text check (char_length(crm_tag_id) between 1 and 100),
  crm_tag_name text check (char_length(crm_tag_name) <= 500),
  watched_to timestamptz not null default now(),
  check ((crm_tag_id is null) = (crm_tag_name is null))
);
comment on column app.suppression_settings.public_page is 'Whether strangers may suppress their own number or address at /stop.';
comment on column app.suppression_settings.watched_to is 'Entries before it have been compared with past exports.';
insert into app.suppression_settings default values;

create table app.crm_pull (
  singleton boolean primary key default true check (singleton),
  lease_owner uuid,
  lease_expires_at timestamptz,
  asked_at timestamptz,
  started_at timestamptz,
  ended_at timestamptz,
  complete_at timestamptz,
  failure text check (char_length(failure) <= 500),
  contacts integer not null default 0,
  addresses integer not null default 0,
  added integer not null default 0,
  lead_cursor uuid
);
comment on table app.crm_pull is 'The last pull of opt-outs from the CRM: who is at it, how it ended, and what it brought.';
comment on column app.crm_pull.asked_at is 'When someone last pressed the button. A pull that began before is followed by another.';
comment on column app.crm_pull.failure is 'Why the last one did not end well. Null where it did: a failure never means that no one opted out.';
comment on column app.crm_pull.lead_cursor is 'The last lead whose address was looked at. Each pull asks about some, and the next goes on.';
insert into app.crm_pull default values;

create table app.crm_asked (
  hash bytea primary key,
  asked_at timestamptz not null default now()
);
comment on table app.crm_asked is 'Addresses of leads whose status the CRM has given, as keyed hashes, so that each is asked about at intervals.';
create index crm_asked_asked_at_idx on app.crm_asked (asked_at);

create table app.stop_codes (
  id uuid primary key default gen_random_uuid(),
  contact text not null,
  code_id uuid,
  texted boolean not null default false,
  tries integer not null default 0,
  asked_at timestamptz not null default now(),
  expires_at timestamptz not null
);
comment on table app.stop_codes is
  'Each time a stranger asked to be left alone, for a day. The contact is a fingerprint, and codes are derived from ids by the '
  'encryption key, so that neither is stored.';
comment on column app.stop_codes.code_id is
  'The id that the code was made of: its own where a code was sent, another''s whose code still works, null where none was.';
create index stop_codes_contact_idx on app.stop_codes (contact, asked_at);
create index stop_codes_asked_at_idx on app.stop_codes (asked_at);

create table app.stop_requests (
  id uuid primary key default gen_random_uuid(),
  key text not null unique check (key ~ '^(phone|email):' and char_length(key) <= 400),
  asked_at timestamptz not null default now()
);
comment on table app.stop_requests is 'Numbers and addresses that strangers entered and no code could confirm: an administrator decides.';
create index stop_requests_asked_at_idx on app.stop_requests (asked_at);

-- What remains of erased contacts.

create table app.erased_contacts (
  hash bytea primary key check (length(hash) = 32),
  kind text not null check (kind in ('phone', 'email', 'business')),
  erased_by uuid references auth.users on delete set null,
  erased_at timestamptz not null default now()
);
comment on table app.erased_contacts is
  'Keyed hashes of contacts that were erased. They stay suppressed, and no lead that carries one can be stored.';
create index erased_contacts_erased_by_idx on app.erased_contacts (erased_by);

create table app.files_to_erase (
  name text primary key
);
comment on table app.files_to_erase is 'Kept exports that may hold an erased contact, by their names in the bucket. A sweep removes them.';

create function app.is_erased(keys text[]) returns boolean language plpgsql stable security definer set search_path = '' as $$
begin
  -- Asked first: hashing costs more than looking.
  return exists (select from app.erased_contacts)
    and exists (select from app.erased_contacts where hash = any (app.contact_hashes(keys)));
end
$$;
comment on function app.is_erased is 'Whether one of the keys belongs to an erased contact.';

create function app.keep_erased() returns trigger language plpgsql security definer set search_path = '' as $$
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
$$;
comment on function app.keep_erased is
  'An erased contact does not come back: a new lead that carries one is left out, and a change leaves out what is erased.';
create trigger keep_erased before insert or update of phone, email, place_id on public.leads
  for each row execute function app.keep_erased();

revoke all on function app.contact_hashes, app.short_hashes, app.is_erased, app.keep_erased from public;
grant execute on function app.contact_hashes, app.short_hashes, app.is_erased, app.keep_erased to fairlead_worker, service_role;

do $$
declare
  one text;
begin
  foreach one in array array[
    'exports', 'export_contacts', 'suppression_notices', 'suppression_settings', 'crm_pull', 'crm_asked', 'stop_codes',
    'stop_requests', 'erased_contacts', 'files_to_erase'
  ] loop
    execute format('alter table app.%I enable row level security', one);
    execute format('alter table app.%I force row level security', one);
    execute format('create policy server on app.%I to fairlead_worker, service_role using (true) with check (true)', one);
    if one in ('suppression_settings', 'crm_pull') then
      execute format('grant select, update on app.%I to service_role', one);
    else
      execute format('grant select, insert, update, delete on app.%I to service_role', one);
    end if;
  end loop;
end
$$;
grant select, insert on app.suppressions to fairlead_worker;
grant select, delete on app.exports, app.export_contacts, app.stop_codes, app.stop_requests to fairlead_worker;
grant select, insert on app.suppression_notices to fairlead_worker;
grant select, update on app.suppression_settings, app.crm_pull to fairlead_worker;
grant select, insert, update, delete on app.crm_asked to fairlead_worker;
grant select on app.erased_contacts to fairlead_worker;
