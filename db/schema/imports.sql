-- People's own files: their rows until they are leads, what taking an import back restores, and by what values of others are known in them.
-- Written by `npm run db:types` from the migrations. Do not edit.

-- A file that someone brought. reading → ready → waiting → running → completed, canceled or failed; all but the first three →
-- undone.
create table app.imports (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null,
  name text not null,
  state text not null default 'reading',
  sha256 text,
  encoding text not null default '',
  delimiter text,
  has_header boolean not null default true,
  columns jsonb not null default '[]', -- Its columns in their order: header, what each seems to hold, and its first values.
  mapping jsonb not null default '{}', -- What each column is read as, by its header.
  keyed_by jsonb, -- The mapping that the keys and problems of its rows were written with.
  remembered boolean not null default false,
  rows integer not null default 0,
  errors integer not null default 0,
  in_file integer not null default 0,
  in_lists integer not null default 0,
  duplicates_found integer not null default 0,
  suppressed integer not null default 0,
  duplicates text,
  list_id uuid,
  list_name text,
  planned boolean not null default false, -- Whether its rows know which row or lead they are the same as.
  last_row integer not null default 0, -- The last row that is done, as the file counts. Everything up to it is committed, nothing behind it.
  done integer not null default 0,
  added integer not null default 0,
  updated integer not null default 0,
  skipped integer not null default 0,
  lease_owner uuid,
  lease_expires_at timestamptz,
  cancel_requested_at timestamptz,
  created_at timestamptz not null default now(),
  touched_at timestamptz not null default now(), -- When its upload last came further.
  started_at timestamptz,
  finished_at timestamptz,
  constraint imports_pkey primary key (id),
  constraint imports_list_id_fkey foreign key (list_id) references public.lists(id) on delete set null,
  constraint imports_user_id_fkey foreign key (user_id) references auth.users(id) on delete cascade,
  constraint imports_columns_check check (jsonb_typeof(columns) = 'array' and octet_length(columns::text) <= 1000000),
  constraint imports_duplicates_check check (duplicates in ('skip', 'update', 'add')),
  constraint imports_list_name_check check (char_length(list_name) <= 250),
  constraint imports_mapping_check check (jsonb_typeof(mapping) = 'object' and octet_length(mapping::text) <= 200000),
  constraint imports_name_check check (char_length(name) >= 1 and char_length(name) <= 250),
  constraint imports_rows_check check (rows >= 0),
  constraint imports_sha256_check check (char_length(sha256) = 64),
  constraint imports_state_check check (state in ('reading', 'ready', 'waiting', 'running', 'completed', 'canceled', 'failed', 'undone'))
);
create index imports_list_id_idx on app.imports (list_id);
create index imports_open_idx on app.imports (state, lease_expires_at) where (state in ('waiting', 'running'));
create index imports_user_id_created_at_idx on app.imports (user_id, created_at desc);
alter table app.imports enable row level security;
alter table app.imports force row level security;
create policy server on app.imports to fairlead_worker, service_role
  using (true)
  with check (true);
grant select, update, delete on app.imports to fairlead_worker;
grant select, insert, update, delete on app.imports to service_role;

-- Rows of a file until they are leads. Those with problems stay 30 days longer, so that they can be downloaded.
create table app.import_rows (
  import_id uuid not null,
  "row" integer not null, -- As a spreadsheet counts.
  cells jsonb not null,
  keys text[] not null, -- What app.import_keys makes of the row as it is read.
  problems jsonb,
  same_row integer, -- An earlier row of the same business.
  same_lead uuid, -- A lead of one of their lists that is the same business.
  constraint import_rows_pkey primary key (import_id, "row"),
  constraint import_rows_import_id_fkey foreign key (import_id) references app.imports(id) on delete cascade
);
alter table app.import_rows enable row level security;
alter table app.import_rows force row level security;
create policy server on app.import_rows to fairlead_worker, service_role
  using (true)
  with check (true);
grant select, update, delete on app.import_rows to fairlead_worker;
grant select, insert, update, delete on app.import_rows to service_role;
create trigger blank_erased_rows after insert on app.import_rows referencing new table as given for each statement execute function app.blank_erased_rows();

-- Empty fields of leads that an import filled: what stood there before, and what it wrote.
create table app.import_updates (
  import_id uuid not null,
  "row" integer not null,
  lead_id uuid not null,
  before jsonb not null,
  after jsonb not null,
  constraint import_updates_pkey primary key (import_id, "row"),
  constraint import_updates_import_id_fkey foreign key (import_id) references app.imports(id) on delete cascade,
  constraint import_updates_lead_id_fkey foreign key (lead_id) references public.leads(id) on delete cascade
);
create index import_updates_lead_id_idx on app.import_updates (lead_id);
alter table app.import_updates enable row level security;
alter table app.import_updates force row level security;
create policy server on app.import_updates to fairlead_worker, service_role
  using (true)
  with check (true);
grant select, insert on app.import_updates to fairlead_worker;
grant select, insert, update, delete on app.import_updates to service_role;

-- What Google and open data have told someone, as app.short_hashes of app.value_keys: their own files cannot make it theirs. It
-- outlives the leads, because files do.
create table app.told_values (
  id bigint not null generated always as identity,
  user_id uuid not null,
  origin text not null, -- google, or a release of open data as leads name it.
  hashes bigint[] not null,
  constraint told_values_pkey primary key (id),
  constraint told_values_user_id_fkey foreign key (user_id) references auth.users(id) on delete cascade,
  constraint told_values_origin_check check (origin ~ '^(google|open:[0-9]{1,9})$')
);
create index told_values_hashes_idx on app.told_values using gin (hashes) with (fastupdate=off);
create index told_values_user_id_idx on app.told_values (user_id);
alter table app.told_values enable row level security;
alter table app.told_values force row level security;
create policy server on app.told_values to fairlead_worker, service_role
  using (true)
  with check (true);
grant select, insert on app.told_values to fairlead_worker;
grant select, insert, update, delete on app.told_values to service_role;

-- The keys under which a row may be suppressed, and one for its name and ZIP code. Phone, email, and that one make two rows the
-- same.
-- May be called by: fairlead_worker, service_role.
create function app.import_keys(phone text, email text, website text, name text, zip text)
 returns text[]
 language sql
 immutable PARALLEL SAFE
 set search_path to ''
as $function$
  select app.contact_keys(phone, email, website, null, name) || array_remove(array[app.same_key(name, zip)], null)
$function$;

-- A business by its name and ZIP code; null without either.
-- May be called by: fairlead_worker, service_role.
create function app.same_key(name text, zip text)
 returns text
 language sql
 immutable PARALLEL SAFE
 set search_path to ''
as $function$
  select 'same:' || app.company_key(name) || '@' || nullif(zip, '')
$function$;

-- By what a value is known again, however it is written and whatever column it stands in: letters and digits, a number, or a
-- page.
-- May be called by: fairlead_worker, service_role.
create function app.value_keys(value text)
 returns text[]
 language plpgsql
 immutable PARALLEL SAFE
 set search_path to ''
as $function$
declare
  plain text := lower(btrim(value));
  host text;
  phone text;
begin
  if plain is null then
    return '{}';
  end if;
  if plain ~ '^[^[:alnum:]]*(tel:)?[^[:alnum:]]*[0-9][-0-9().+\s/]{6,25}((x|ext|#)[.:\s]*[0-9]{1,7})?$' then
    phone := app.phone_key(plain);
    if phone is not null then
      return array['phone:' || phone];
    end if;
  end if;
  if strpos(plain, '.') > 0 and strpos(plain, ' ') = 0 and strpos(plain, '@') = 0 then
    host := app.host_key(plain);
    if host is not null then
      return array['site:' || host || rtrim(coalesce(substring(plain from '^(?:[a-z][a-z0-9+.-]*://)?[^/?#]+(/[^?#]*)'), ''), '/')];
    end if;
  end if;
  plain := left(regexp_replace(regexp_replace(normalize(plain, nfkd), '[,\s]+(usa|united states)\s*$', ''), '[^[:alnum:]]+', '', 'g'), 300);
  return case when plain = '' then '{}' else array['text:' || plain] end;
end
$function$;

-- The keys of all that Google says of a business; its street and its domain by themselves, too.
-- May be called by: fairlead_worker, service_role.
create function app.told_keys(name text, phone text, address text, website text)
 returns text[]
 language plpgsql
 immutable PARALLEL SAFE
 set search_path to ''
as $function$
declare
  street text := split_part(address, ',', 1);
begin
  return app.value_keys(name) || app.value_keys(phone) || app.value_keys(address) || app.value_keys(website)
    || case when street ~ '[0-9].*[[:alpha:]]' then app.value_keys(street) end
    || array_remove(array['site:' || app.host_key(website)], null);
end
$function$;

-- Writes down what someone was told, by its keys.
-- May be called by: fairlead_worker, service_role.
create function app.note_told(user_id uuid, origin text, keys text[])
 returns void
 language sql
 set search_path to ''
as $function$
  insert into app.told_values (user_id, origin, hashes)
  select user_id, origin, app.short_hashes(array(select distinct unnest(keys)))
  where cardinality(keys) > 0
$function$;

-- Which of these values someone was told before, and by whom.
-- May be called by: fairlead_worker, service_role.
create function app.told_origins(user_id uuid, given text[])
 returns table(value text, origin text)
 language sql
 stable
 set search_path to ''
 set enable_seqscan to 'off'
 set enable_indexscan to 'off'
as $function$
  with keyed as materialized (
    select array_agg(one.value) as texts, array_agg(key) as keys
    from (select distinct unnest(given)) as one (value), unnest(app.value_keys(one.value)) as key
  )
  -- By the hash first: what one person was told is more than what any value was told to.
  select distinct wanted.value, told.origin
  from keyed, unnest(keyed.texts, app.short_hashes(keyed.keys)) as wanted (value, hash)
    cross join lateral (
      select one.user_id, one.origin from app.told_values as one
      where one.hashes operator(pg_catalog.@>) array[wanted.hash] offset 0
    ) as told
  where told.user_id = told_origins.user_id
$function$;
