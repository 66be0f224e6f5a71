-- An address that is known by no street of its own is known beside the name of its business.
create function app.name_at_keys(name text, address text) returns text[]
language plpgsql immutable parallel safe set search_path = '' as $$
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
$$;
comment on function app.name_at_keys is
  'By what an address is known that does not begin with house number and street: the name of the business with its first part.';

create or replace function app.told_keys(name text, phone text, address text, website text) returns text[]
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  folded text := app.folded_text(address);
begin
  return array_remove(array[app.name_key(name), 'site:' || app.host_key(app.folded_text(website))], null)
    || app.value_keys(phone) || app.value_keys(website) || app.name_at_keys(name, address)
    -- Where only the town is known, everyone there has the same.
    || case when folded ~ '[0-9]' and folded !~ '^[^,0-9]*,\s*[a-z]{2}\s+[0-9]{5}(-[0-9]{4})?(,\s*usa)?$' then
      app.value_keys(address) || app.text_keys(app.street_of(folded)) end;
end
$$;

create function app.key_origins(user_id uuid, keys text[]) returns table (key text, origin text)
language sql stable set search_path = '' set enable_seqscan = off set enable_indexscan = off as $$
  -- By the hash first: what one person was told is more than what any value was told to.
  select distinct wanted.key, told.origin
  from unnest(keys, app.short_hashes(keys)) as wanted (key, hash)
    cross join lateral (
      select one.user_id, one.origin from app.told_values as one
      where one.hashes operator(pg_catalog.@>) array[wanted.hash] offset 0
    ) as told
  where told.user_id = key_origins.user_id
$$;
comment on function app.key_origins is 'Which of these keys someone was told before, and by whom.';

create or replace function app.told_origins(user_id uuid, given text[]) returns table (value text, origin text, by_name boolean)
language sql stable set search_path = '' set enable_seqscan = off set enable_indexscan = off as $$
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
$$;

create function app.told_beside(user_id uuid, names text[], given text[]) returns table (name text, value text, origin text)
language sql stable set search_path = '' as $$
  with keyed as materialized (
    select array_agg(one.name) as names, array_agg(one.value) as texts, array_agg(key) as keys
    from (select distinct * from unnest(names, given)) as one (name, value), unnest(app.name_at_keys(one.name, one.value)) as key
  )
  select wanted.name, wanted.value, told.origin
  from keyed, app.key_origins(told_beside.user_id, keyed.keys) as told,
    unnest(keyed.names, keyed.texts, keyed.keys) as wanted (name, value, key)
  where wanted.key = told.key
$$;
comment on function app.told_beside is 'Which of these values someone was told as the address of the business named beside it, and by whom.';

revoke all on function app.name_at_keys, app.key_origins, app.told_beside from public;
grant execute on function app.name_at_keys, app.key_origins, app.told_beside to service_role, fairlead_worker;
