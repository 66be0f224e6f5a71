-- Values that others told and that left for someone's own files are known again when they come back.

create function app.folded_text(value text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  -- Not lower() alone, nor classes of letters: what they know depends on the locale, which is "C" with our own PostgreSQL.
  if octet_length(value) = char_length(value) then
    return btrim(lower(value collate "C"));
  end if;
  return btrim(translate(
    lower(regexp_replace(normalize(translate(value, '™℠', ''), nfkd), '[\u0300-\u036f]+', '', 'g') collate "C"),
    'ÆØÐÞĐĦŁŊŒŦẞΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩςАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЂЄЅІЈЉЊЋЏҐ',
    'æøðþđħłŋœŧßαβγδεζηθικλμνξοπρστυφχψωσабвгдежзиклмнопрстуфхцчшщъыьэюяђєѕіјљњћџґ'));
end
$$;
comment on function app.folded_text is 'A text in lower case without accents, the same in every locale.';

create function app.letters_of(folded text) returns text
language sql immutable parallel safe set search_path = '' as $$
  select left(regexp_replace(regexp_replace(folded, '[,\s]+(usa|united states)\s*$', ''),
    '[\u0001-\u002f\u003a-\u0060\u007b-\u00bf\u00d7\u00f7\u02b0-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u2000-\u20ff\u2190-\u2bff\u2e00-\u2e7f'
    '\u3000-\u3004\u3008-\u3020\u302a-\u3030\u303d-\u303f\u30fb\ufe00-\ufe1f\ufeff\ufff0-\uffff\U0001f000-\U0001faff]+', '', 'g'), 300)
$$;
comment on function app.letters_of is 'The letters and digits of a folded text, of any script, without the country of an American address.';

create function app.text_keys(folded text) returns text[]
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  letters text := app.letters_of(folded);
begin
  -- Two Chinese characters say as much as five letters do, and are six bytes.
  return case when octet_length(letters) >= 5 and letters ~ '[^0-9]' then array['text:' || letters] else '{}' end;
end
$$;
comment on function app.text_keys is 'The key of a folded text, if it is long enough that others would not write the same by chance.';

create function app.street_of(folded text) returns text
language sql immutable parallel safe set search_path = '' as $$
  select part from string_to_table(folded, ',') with ordinality as one (part, place)
  where part ~ '[0-9].*[^\u0001-\u0060\u007b-\u007f]' order by place limit 1
$$;
comment on function app.street_of is 'The first part of a folded address that holds a digit and then a letter. Null if it has none.';

create function app.place_keys(folded text) returns text[]
language plpgsql immutable parallel safe set search_path = '' as $$
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
$$;
comment on function app.place_keys is
  'By what an address is known that lacks a part: its street with its town, and its street with its ZIP code.';

create function app.value_keys(value text) returns text[]
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  plain text := app.folded_text(value);
  host text;
  phone text;
begin
  if plain is null then
    return '{}';
  end if;
  if plain ~ '^[^0-9a-z]*(tel:)?[^0-9a-z]*[0-9][-0-9().+\s/]{6,25}((x|ext|#)[.:\s]*[0-9]{1,7})?$' then
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
  return app.text_keys(plain) || case when strpos(plain, ',') > 0 then app.place_keys(plain) end;
end
$$;
comment on function app.value_keys is
  'By what a value is known again, however it is written and whatever column it stands in: letters and digits, a number, or a page.';

create function app.name_key(value text) returns text
language sql immutable parallel safe set search_path = '' as $$
  select 'name:' || nullif(app.letters_of(app.folded_text(value)), '')
$$;
comment on function app.name_key is
  'By what the name of a business is known again. Many businesses have the same: it counts only beside another value that is known.';

create function app.told_keys(name text, phone text, address text, website text) returns text[]
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  folded text := app.folded_text(address);
begin
  return array_remove(array[app.name_key(name), 'site:' || app.host_key(app.folded_text(website))], null)
    || app.value_keys(phone) || app.value_keys(website)
    -- Where only the town is known, everyone there has the same.
    || case when folded ~ '[0-9]' and folded !~ '^[^,0-9]*,\s*[a-z]{2}\s+[0-9]{5}(-[0-9]{4})?(,\s*usa)?$' then
      app.value_keys(address) || app.text_keys(app.street_of(folded)) end;
end
$$;
comment on function app.told_keys is 'The keys of all that others say of a business; its street and its domain by themselves, too.';

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
language sql set search_path = '' set enable_seqscan = off set enable_indexscan = off as $$
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
$$;
comment on function app.note_told is 'Writes down what someone was told, by its keys, unless it is written down already.';

create function app.told_origins(user_id uuid, given text[]) returns table (value text, origin text, by_name boolean)
language sql stable set search_path = '' set enable_seqscan = off set enable_indexscan = off as $$
  with keyed as materialized (
    select array_agg(one.value) as texts, array_agg(key) as keys
    from (select distinct unnest(given)) as one (value), app.value_keys(one.value) as known, unnest(known || array[
      case when starts_with(known[1], 'text:') then 'name:' || substr(known[1], 6)
        when starts_with(known[1], 'phone:') then null else app.name_key(one.value) end]) as key
    where key is not null
  )
  -- By the hash first: what one person was told is more than what any value was told to.
  select wanted.value, told.origin, bool_and(starts_with(wanted.key, 'name:'))
  from keyed, unnest(keyed.texts, keyed.keys, app.short_hashes(keyed.keys)) as wanted (value, key, hash)
    cross join lateral (
      select one.user_id, one.origin from app.told_values as one
      where one.hashes operator(pg_catalog.@>) array[wanted.hash] offset 0
    ) as told
  where told.user_id = told_origins.user_id
  group by wanted.value, told.origin
$$;
comment on function app.told_origins is
  'Which of these values someone was told before, and by whom. by_name: as nothing but the name of a business.';

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

revoke all on function app.folded_text, app.letters_of, app.text_keys, app.street_of, app.place_keys, app.value_keys, app.name_key,
  app.told_keys, app.note_told, app.told_origins from public;
grant execute on function app.folded_text, app.letters_of, app.text_keys, app.street_of, app.place_keys, app.value_keys, app.name_key,
  app.told_keys, app.note_told, app.told_origins to service_role, fairlead_worker;
