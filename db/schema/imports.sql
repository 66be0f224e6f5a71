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
  failure text, -- Why it failed, in words for its owner.
  retention text, -- How long its list was to be kept when it was started. The list itself says how long it is.
  ended_keeping uuid[] not null default '{}'::uuid[], -- Lists that were kept for good until this import brought a value of Google.
  other_sheets jsonb not null default '[]', -- Shown sheets of the file that have cells and were not read.
  constraint imports_pkey primary key (id),
  constraint imports_list_id_fkey foreign key (list_id) references public.lists(id) on delete set null,
  constraint imports_user_id_fkey foreign key (user_id) references auth.users(id) on delete cascade,
  constraint imports_columns_check check (jsonb_typeof(columns) = 'array' and octet_length(columns::text) <= 1000000),
  constraint imports_duplicates_check check (duplicates in ('skip', 'update', 'add')),
  constraint imports_failure_check check (char_length(failure) <= 500),
  constraint imports_list_name_check check (char_length(list_name) <= 250),
  constraint imports_mapping_check check (jsonb_typeof(mapping) = 'object' and octet_length(mapping::text) <= 200000),
  constraint imports_name_check check (char_length(name) >= 1 and char_length(name) <= 250),
  constraint imports_retention_check check (retention in ('archive', 'keep')),
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
create trigger forget_erased_names before insert or update of name, list_name on app.imports for each row execute function app.forget_erased_names('name', 'list_name');

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
  originals jsonb not null default '{}',
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

-- Leads of files in which leads that came from elsewhere live on: undoing the file leaves them.
create table app.joined_leads (
  lead_id uuid not null,
  constraint joined_leads_pkey primary key (lead_id),
  constraint joined_leads_lead_id_fkey foreign key (lead_id) references public.leads(id) on delete cascade
);
alter table app.joined_leads enable row level security;
alter table app.joined_leads force row level security;
create policy server on app.joined_leads to fairlead_worker, service_role
  using (true)
  with check (true);
grant select on app.joined_leads to fairlead_worker;
grant select, insert, update, delete on app.joined_leads to service_role;

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
 language plpgsql
 immutable PARALLEL SAFE
 set search_path to ''
as $function$
declare
  keys text[] := app.contact_keys(phone, email, website, null, name);
  key text;
begin
  if zip <> '' then
    foreach key in array keys loop
      if starts_with(key, 'company:') then
        return keys || ('same:' || substr(key, 9) || '@' || zip);
      end if;
    end loop;
  end if;
  return keys;
end
$function$;

-- A business by its name and ZIP code; null without either. Nothing calls it anymore: the next release drops it.
-- May be called by: fairlead_worker, service_role.
create function app.same_key(name text, zip text)
 returns text
 language sql
 immutable PARALLEL SAFE
 set search_path to ''
as $function$
  select 'same:' || app.company_key(name) || '@' || nullif(zip, '')
$function$;

-- A text in lower case without accents, the same in every locale.
-- May be called by: fairlead_worker, service_role.
create function app.folded_text(value text)
 returns text
 language plpgsql
 immutable PARALLEL SAFE
 set search_path to ''
as $function$
begin
  -- Not lower() alone, nor classes of letters: what they know depends on the locale, which is "C" with our own PostgreSQL.
  if octet_length(value) = char_length(value) then
    return btrim(lower(value collate "C"));
  end if;
  return btrim(translate(
    lower(regexp_replace(normalize(translate(value, '™℠', ''), nfkd),
      '[\u00ad\u0300-\u036f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+', '', 'g') collate "C"),
    'ÆØÐÞĐĦŁŊŒŦẞΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩςАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЂЄЅІЈЉЊЋЏҐ' || U&'\2010\2011\2012\2013\2014\2015\2212',
    'æøðþđħłŋœŧßαβγδεζηθικλμνξοπρστυφχψωσабвгдежзиклмнопрстуфхцчшщъыьэюяђєѕіјљњћџґ' || '-------'));
end
$function$;

-- The letters and digits of a folded text, of any script, without the country of an American address.
-- May be called by: fairlead_worker, service_role.
create function app.letters_of(folded text)
 returns text
 language sql
 immutable PARALLEL SAFE
 set search_path to ''
as $function$
  select left(regexp_replace(regexp_replace(folded, '[,\s]+(usa|united states)\s*$', ''),
    '[\u0001-\u002f\u003a-\u0060\u007b-\u00bf\u00d7\u00f7\u02b0-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u2000-\u20ff\u2190-\u2bff\u2e00-\u2e7f'
    '\u3000-\u3004\u3008-\u3020\u302a-\u3030\u303d-\u303f\u30fb\ufe00-\ufe1f\ufeff\ufff0-\uffff\U0001f000-\U0001faff]+', '', 'g'), 300)
$function$;

-- The key of a folded text, if it is long enough that others would not write the same by chance.
-- May be called by: fairlead_worker, service_role.
create function app.text_keys(folded text)
 returns text[]
 language plpgsql
 immutable PARALLEL SAFE
 set search_path to ''
as $function$
declare
  letters text := app.letters_of(folded);
begin
  -- Two Chinese characters say as much as five letters do, and are six bytes.
  return case when octet_length(letters) >= 5 and letters ~ '[^0-9]' then array['text:' || letters] else '{}' end;
end
$function$;

-- The first part of a folded address that holds a digit and then a letter. Null if it has none.
-- May be called by: fairlead_worker, service_role.
create function app.street_of(folded text)
 returns text
 language sql
 immutable PARALLEL SAFE
 set search_path to ''
as $function$
  select part from string_to_table(folded, ',') with ordinality as one (part, place)
  where part ~ '[0-9].*[^\u0001-\u0060\u007b-\u007f]' order by place limit 1
$function$;

-- By what an address is known that lacks a part: its street with its town, and its street with its ZIP code.
-- May be called by: fairlead_worker, service_role.
create function app.place_keys(folded text)
 returns text[]
 language plpgsql
 immutable PARALLEL SAFE
 set search_path to ''
as $function$
declare
  street text := app.street_of(folded);
  part text;
  keys text[] := '{}';
begin
  if street is null then
    return keys;
  end if;
  foreach part in array string_to_array(substr(folded, strpos(folded, street) + length(street)), ',') loop
    part := btrim(part);
    if part ~ '(^|\s)[0-9]{5}(-?[0-9]{4})?$' then
      keys := keys || ('place:' || app.letters_of(street) || '|' || substring(part from '([0-9]{5})(-?[0-9]{4})?$'));
    elsif part !~ '^([a-z]{0,2}|u\.?s\.?a\.?|united states( of america)?|canada|mexico)$' then
      keys := keys || ('place:' || app.letters_of(street) || '|' || app.letters_of(part));
    end if;
  end loop;
  -- Where nothing says in which town it is, the street alone counts.
  return case when cardinality(keys) > 0 then keys else app.text_keys(street) end;
end
$function$;

-- What stands behind the country code of a phone key. Null in North America, where no one writes it without the area code.
-- May be called by: fairlead_worker, service_role.
create function app.national_of(phone text)
 returns text
 language sql
 immutable PARALLEL SAFE
 set search_path to ''
as $function$
  select substring(phone from '^\+(?:7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]'
    '|(?:2[1-689]|3[578]|42|5[09]|6[7-9]|8[0578]|9[679])[0-9])([0-9]+)$')
$function$;

-- By what a phone number is known again: with its country code, or without it.
-- May be called by: fairlead_worker, service_role.
create function app.phone_keys(plain text)
 returns text[]
 language plpgsql
 immutable PARALLEL SAFE
 set search_path to ''
as $function$
declare
  phone text := app.phone_key(plain);
  national text := app.national_of(phone);
  digits text := regexp_replace(regexp_replace(plain, '(x|ext|#)[.:\s]*[0-9]{1,7}$', ''), '[^0-9]', '', 'g');
begin
  return array_remove(array[
    'phone:' || phone,
    -- "+44 (0)1624": the 0 is for those who call without country code.
    case when national like '0%' then 'phone:' || left(phone, -length(national)) || ltrim(national, '0') end,
    case when digits ~ '^0[1-9][0-9]{7,13}$' or phone is null and digits ~ '^[1-9][0-9]{8}$' then
      'phone:0' || ltrim(digits, '0') end], null);
end
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
  plain text := app.folded_text(value);
  host text;
  phones text[];
begin
  if plain is null then
    return '{}';
  end if;
  if plain ~ '^[^0-9a-z]*(tel:)?[^0-9a-z]*[0-9][-0-9().+\s/]{6,25}((x|ext|#)[.:\s]*[0-9]{1,7})?$' then
    phones := app.phone_keys(plain);
    if cardinality(phones) > 0 then
      return phones;
    end if;
  end if;
  if strpos(plain, '.') > 0 and strpos(plain, ' ') = 0 and strpos(plain, '@') = 0 then
    host := app.host_key(plain);
    if host is not null then
      return array['site:' || host
        || rtrim(coalesce(substring(regexp_replace(plain, '^[a-z][a-z0-9+.-]*://', '') from '^[^/?#]+(/[^?#]*)'), ''), '/')];
    end if;
  end if;
  return app.text_keys(plain) || case when strpos(plain, ',') > 0 then app.place_keys(plain) end;
end
$function$;

-- By what the name of a business is known again. Many businesses have the same: it counts only beside another value that is
-- known.
-- May be called by: fairlead_worker, service_role.
create function app.name_key(value text)
 returns text
 language sql
 immutable PARALLEL SAFE
 set search_path to ''
as $function$
  select 'name:' || nullif(app.letters_of(app.folded_text(value)), '')
$function$;

-- By what an address is known that does not begin with house number and street: the name of the business with its first part.
-- May be called by: fairlead_worker, service_role.
create function app.name_at_keys(name text, address text)
 returns text[]
 language plpgsql
 immutable PARALLEL SAFE
 set search_path to ''
as $function$
declare
  folded text := btrim(app.folded_text(address), ', ');
  start text := split_part(folded, ',', 1);
begin
  if start = app.street_of(folded) then
    return '{}';
  end if;
  -- Its first part alone: towns, codes and countries behind it are left out or spelled in many ways.
  return array_remove(
    array['at:' || nullif(app.letters_of(app.folded_text(name)), '') || '|' || nullif(app.letters_of(start), '')], null);
end
$function$;

-- The keys of all that others say of a business; its street and its domain by themselves, too.
-- May be called by: fairlead_worker, service_role.
create function app.told_keys(name text, phone text, address text, website text)
 returns text[]
 language plpgsql
 immutable PARALLEL SAFE
 set search_path to ''
as $function$
declare
  folded text := app.folded_text(address);
begin
  return array_remove(array[
      app.name_key(name),
      'site:' || app.host_key(app.folded_text(website)),
      'phone:0' || ltrim(app.national_of(app.phone_key(phone)), '0')], null)
    || app.value_keys(phone) || app.value_keys(website) || app.name_at_keys(name, address)
    -- Where only the town is known, everyone there has the same.
    || case when folded ~ '[0-9]' and folded !~ '^[^,0-9]*,\s*[a-z]{2}\s+[0-9]{5}(-[0-9]{4})?(,\s*usa)?$' then
      app.value_keys(address) || app.text_keys(app.street_of(folded)) end;
end
$function$;

-- Writes down what someone was told, by its keys, unless it is written down already.
-- May be called by: fairlead_worker, service_role.
create function app.note_told(user_id uuid, origin text, keys text[])
 returns void
 language sql
 set search_path to ''
 set enable_seqscan to 'off'
 set enable_indexscan to 'off'
as $function$
  insert into app.told_values (user_id, origin, hashes)
  select note_told.user_id, note_told.origin, array_agg(new.hash)
  from (select distinct unnest(app.short_hashes(keys)) as hash) as new
  -- No join, which might read all that the person was told.
  where not coalesce((
    select true from (
      select one.user_id, one.origin from app.told_values as one where one.hashes operator(pg_catalog.@>) array[new.hash] offset 0
    ) as told
    where told.user_id = note_told.user_id and told.origin = note_told.origin limit 1
  ), false)
  having count(*) > 0
$function$;

-- Which of these keys someone was told before, and by whom.
-- May be called by: fairlead_worker, service_role.
create function app.key_origins(user_id uuid, keys text[])
 returns table(key text, origin text)
 language sql
 stable
 set search_path to ''
 set enable_seqscan to 'off'
 set enable_indexscan to 'off'
as $function$
  -- By the hash first: what one person was told is more than what any value was told to.
  select distinct wanted.key, told.origin
  from unnest(keys, app.short_hashes(keys)) as wanted (key, hash)
    cross join lateral (
      select one.user_id, one.origin from app.told_values as one
      where one.hashes operator(pg_catalog.@>) array[wanted.hash] offset 0
    ) as told
  where told.user_id = key_origins.user_id
$function$;

-- Which of these values someone was told before, and by whom. by_name: as nothing but the name of a business.
-- May be called by: fairlead_worker, service_role.
create function app.told_origins(user_id uuid, given text[])
 returns table(value text, origin text, by_name boolean)
 language sql
 stable
 set search_path to ''
 set enable_seqscan to 'off'
 set enable_indexscan to 'off'
as $function$
  with keyed as materialized (
    select array_agg(one.value) as texts, array_agg(key) as keys
    from (select distinct unnest(given)) as one (value), app.value_keys(one.value) as known, unnest(known || array[
      case when starts_with(known[1], 'text:') then 'name:' || substr(known[1], 6)
        when starts_with(known[1], 'phone:') then null else app.name_key(one.value) end]) as key
    where key is not null
  )
  select wanted.value, told.origin, bool_and(starts_with(wanted.key, 'name:'))
  from keyed, app.key_origins(told_origins.user_id, keyed.keys) as told,
    unnest(keyed.texts, keyed.keys) as wanted (value, key)
  where wanted.key = told.key
  group by wanted.value, told.origin
$function$;

-- Which of these values someone was told as the address of the business named beside it, and by whom.
-- May be called by: fairlead_worker, service_role.
create function app.told_beside(user_id uuid, names text[], given text[])
 returns table(name text, value text, origin text)
 language sql
 stable
 set search_path to ''
as $function$
  with keyed as materialized (
    select array_agg(one.name) as names, array_agg(one.value) as texts, array_agg(key) as keys
    from (select distinct * from unnest(names, given)) as one (name, value), unnest(app.name_at_keys(one.name, one.value)) as key
  )
  select wanted.name, wanted.value, told.origin
  from keyed, app.key_origins(told_beside.user_id, keyed.keys) as told,
    unnest(keyed.names, keyed.texts, keyed.keys) as wanted (name, value, key)
  where wanted.key = told.key
$function$;
