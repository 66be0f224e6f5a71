-- Values that others told and that left for someone's own files are known again when they come back.

create function app.value_keys(value text) returns text[]
language plpgsql immutable parallel safe set search_path = '' as $$
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
$$;
comment on function app.value_keys is
  'By what a value is known again, however it is written and whatever column it stands in: letters and digits, a number, or a page.';

create function app.told_keys(name text, phone text, address text, website text) returns text[]
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  street text := split_part(address, ',', 1);
begin
  return app.value_keys(name) || app.value_keys(phone) || app.value_keys(address) || app.value_keys(website)
    || case when street ~ '[0-9].*[[:alpha:]]' then app.value_keys(street) end
    || array_remove(array['site:' || app.host_key(website)], null);
end
$$;
comment on function app.told_keys is 'The keys of all that Google says of a business; its street and its domain by themselves, too.';

create table app.told_values (
  id bigint generated always as identity primary key,
  user_id uuid not null references auth.users on delete cascade,
  origin text not null check (origin ~ '^(google|open:[0-9]{1,9})$'),
  hashes bigint[] not null
);
comment on table app.told_values is
  'What Google and open data have told someone, as app.short_hashes of app.value_keys: their own files cannot make it theirs. '
  'It outlives the leads, because files do.';
comment on column app.told_values.origin is 'google, or a release of open data as leads name it.';
create index told_values_hashes_idx on app.told_values using gin (hashes) with (fastupdate = off);
create index told_values_user_id_idx on app.told_values (user_id);
alter table app.told_values enable row level security;
alter table app.told_values force row level security;
create policy server on app.told_values to fairlead_worker, service_role using (true) with check (true);
grant select, insert, update, delete on app.told_values to service_role;
grant select, insert on app.told_values to fairlead_worker;

create function app.note_told(user_id uuid, origin text, keys text[]) returns void
language sql set search_path = '' as $$
  insert into app.told_values (user_id, origin, hashes)
  select user_id, origin, app.short_hashes(array(select distinct unnest(keys)))
  where cardinality(keys) > 0
$$;
comment on function app.note_told is 'Writes down what someone was told, by its keys.';

create function app.told_origins(user_id uuid, given text[]) returns table (value text, origin text)
language sql stable set search_path = '' set enable_seqscan = off set enable_indexscan = off as $$
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
$$;
comment on function app.told_origins is 'Which of these values someone was told before, and by whom.';

create or replace function app.add_leads(list_id uuid, places jsonb, matched boolean) returns boolean
language plpgsql set search_path = '' as $$
#variable_conflict use_column
declare
  last integer;
  added integer;
  owner uuid;
begin
  select list.user_id into owner from public.lists as list where list.id = add_leads.list_id for update;
  if not found then
    return true;
  end if;
  if not matched and exists (
    select from public.leads as lead where lead.list_id = add_leads.list_id and lead.open_id is not null
  ) then
    return false;
  end if;
  select coalesce(max(lead.position), -1) into last from public.leads as lead where lead.list_id = add_leads.list_id;
  insert into public.leads (list_id, position, business_name, phone, address, website, place_id, latitude, longitude,
    service_area, place_call_id, created_at)
  select add_leads.list_id, last + at, name, phone, address, website, id, latitude, longitude, service_area, call_id,
    coalesce(since, now())
  from rows from (jsonb_to_recordset(places) as (id text, name text, phone text, address text, website text,
      latitude double precision, longitude double precision, service_area boolean, call_id uuid, since timestamptz))
    with ordinality as place (id, name, phone, address, website, latitude, longitude, service_area, call_id, since, at)
  on conflict (list_id, place_id) do nothing;
  get diagnostics added = row_count;
  if added > 0 then
    perform app.note_told(owner, 'google', array(
      select unnest(app.told_keys(name, phone, address, website))
      from jsonb_to_recordset(places) as place (name text, phone text, address text, website text)));
  end if;
  -- Under the lock on the list, so that nothing is missed. Counting them again would take longer with each page.
  update public.lists as list set lead_count = list.lead_count + added where list.id = add_leads.list_id;
  return true;
end
$$;

revoke all on function app.value_keys, app.told_keys, app.note_told, app.told_origins from public;
grant execute on function app.value_keys, app.told_keys, app.note_told, app.told_origins to service_role, fairlead_worker;

-- What Google told before this version. Values with a source of their own are not Google's.
insert into app.told_values (user_id, origin, hashes)
select part.user_id, 'google', app.short_hashes(part.keys)
from (
  select list.user_id, array_agg(distinct key) as keys
  from public.leads as lead join public.lists as list on list.id = lead.list_id,
    unnest(app.told_keys(
      case when not lead.sources ? 'business_name' then lead.business_name end,
      case when not lead.sources ? 'phone' then lead.phone end,
      case when not lead.sources ? 'address' then lead.address end,
      case when not lead.sources ? 'website' then lead.website end)) as key
  group by list.user_id, lead.list_id, lead.position / 100
) as part;
