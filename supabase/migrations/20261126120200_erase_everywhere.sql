-- An erasure reaches files that wait, open data and texts that mention the contact. What is on its way while it happens comes clean.

create function app.hold_erasure(what text) returns void language sql set search_path to '' as $$
  select pg_advisory_xact_lock_shared(hashtextextended('erasure of ' || what, 0))
$$;
comment on function app.hold_erasure is
  'Waits for an erasure under way, and keeps the next one waiting until the transaction ends. Taken before any other lock. '
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

create function app.contacts_in(said text) returns text[]
language sql immutable parallel safe set search_path to '' as $$
  select case when said ~ '[@0-9]' then array(
    select app.suppression_key('email', found[1]) from regexp_matches(said, '([^[:space:]<>(),;:"]+@[^[:space:]<>(),;:"]+)', 'g') as found
    union
    select app.suppression_key('phone', found[1]) from regexp_matches(said, '([+]?[0-9](?:[[:space:]().\-/]{0,3}[0-9]){9,14})', 'g') as found
    union
    select app.suppression_key('phone', said) where char_length(said) <= 40
  ) else '{}' end
$$;
comment on function app.contacts_in is
  'The keys of numbers and addresses that a text holds in their usual spellings. What else it may spell is null.';

create function app.blank_erased_rows() returns trigger language plpgsql security definer set search_path to '' as $$
begin
  perform app.hold_erasure('imports');
  if not exists (select from app.erased_contacts) then
    return null;
  end if;
  with known as (
    select given.import_id, given.row, 0 as place, key from given, unnest(given.keys) as key
    where starts_with(key, 'phone:') or starts_with(key, 'email:')
    union all
    select given.import_id, given.row, cell.place, key
    from given, jsonb_array_elements_text(given.cells) with ordinality as cell (said, place), unnest(app.contacts_in(cell.said)) as key
  ), erased as (
    select known.import_id, known.row, bool_or(known.place = 0) as whole, array_agg(known.place) as places
    from known join app.erased_contacts as gone on gone.hash = (app.contact_hashes(array[known.key]))[1]
    where known.key is not null group by known.import_id, known.row
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
