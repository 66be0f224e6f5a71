-- An erasure reaches files that wait, open data and texts that mention the contact. What is on its way while it happens comes clean.

create function app.hold_erasure(what text) returns void language sql set search_path to '' as $$
  select pg_advisory_xact_lock_shared(hashtextextended('erasure of ' || what, 0))
$$;
comment on function app.hold_erasure is
  'Waits for an erasure under way, and keeps the next one waiting until the transaction ends. Taken before any lock that an erasure waits for. '
  'what: imports, or open data.';

create function app.await_writers(what text) returns void language sql set search_path to '' as $$
  select pg_advisory_xact_lock(hashtextextended('erasure of ' || what, 0))
$$;
comment on function app.await_writers is 'Waits until no one holds the erasure any more, and keeps others waiting until the transaction ends.';

create function app.erase_in_text(said text, pattern text) returns text
language sql immutable parallel safe set search_path to '' as $$
  select case when said ~* pattern then '[erased]' else said end
$$;
comment on function app.erase_in_text is 'The text, or [erased] where it mentions the contact: no one knows what else in it is about the person.';

create function app.erase_in_json(said jsonb, pattern text) returns jsonb
language plpgsql immutable parallel safe set search_path to '' as $$
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
$$;
comment on function app.erase_in_json is 'The same with every text in it. Numbers stay: they are coordinates and counts.';

create function app.contacts_in(texts text[]) returns table (place bigint, key text)
language sql immutable parallel safe set search_path to '' as $$
  with said as materialized (
    select one.place, normalize(one.text, nfkc) as text from unnest(texts) with ordinality as one (text, place) where one.text ~ '[@0-9０-９]'
  )
  select said.place, 'email:' || app.email_key(found[1])
  from said, regexp_matches(said.text, '([^[:space:]<>(),;:"]+@[^[:space:]<>(),;:"]+)', 'g') as found where strpos(said.text, '@') > 0
  union all
  select said.place, 'phone:' || case
    when found[1] ~ '^([+]|00|011)' then '+' || regexp_replace(digits, '^(011|00)', '')
    when length(digits) = 10 then '+1' || digits
    when length(digits) = 11 and digits like '1%' then '+' || digits
  end
  from said, regexp_matches(said.text, '([+]?[0-9](?:[[:space:]().\-/]{0,3}[0-9]){9,14})', 'g') as found,
    lateral (select regexp_replace(found[1], '[^0-9]', '', 'g') as digits) as plain
$$;
comment on function app.contacts_in is
  'The keys of numbers and addresses that texts hold in their usual spellings, each with the place of its text. A key may be null.';

create function app.blank_erased_rows() returns trigger language plpgsql security definer set search_path to '' as $$
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
$$;
comment on function app.blank_erased_rows is
  'A row of a file that is an erased contact is stored as an empty one, so that rows keep their numbers. A cell that mentions one is emptied.';
create trigger blank_erased_rows after insert on app.import_rows referencing new table as given for each statement
  execute function app.blank_erased_rows();

revoke all on function app.hold_erasure, app.await_writers, app.erase_in_text, app.erase_in_json, app.contacts_in, app.blank_erased_rows from public;
grant execute on function app.hold_erasure, app.await_writers, app.erase_in_text, app.erase_in_json, app.contacts_in
  to service_role, fairlead_worker;
