-- Contacts in the other columns of people's files: suppressed ones must not leave with an export, and past exports must be known by them.

-- Quicker than before, and numbers that stand beside each other are told apart.
create or replace function app.contacts_in(texts text[]) returns table (place bigint, key text)
language sql immutable parallel safe set search_path = '' as $$
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
$$;

create function app.domain_keys(host text) returns text[]
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  keys text[] := '{}';
begin
  while strpos(host, '.') > 0 loop
    keys := keys || ('domain:' || host);
    host := substr(host, strpos(host, '.') + 1);
  end loop;
  return keys;
end
$$;
comment on function app.domain_keys is 'The domains that a host stands under: "a.example.com" under "example.com" as well.';

create function app.keys_in(texts text[]) returns table (place bigint, key text)
language sql immutable parallel safe set search_path = '' as $$
  with found as materialized (select contact.place, contact.key from app.contacts_in(texts) as contact where contact.key is not null)
  select found.place, found.key from found
  union all
  select found.place, unnest(app.domain_keys(split_part(found.key, '@', 2))) from found where starts_with(found.key, 'email:')
  union all
  select said.place, unnest(app.domain_keys(app.host_key(said.text)))
  from unnest(texts) with ordinality as said (text, place)
  where strpos(said.text, '.') > 0 and said.text ~ '^[^[:space:]@]*[^[:space:]@0-9][.][^[:space:]@.0-9][^[:space:]@]*$'
$$;
comment on function app.keys_in is
  'Every key under which numbers, addresses and websites that stand in texts may be suppressed, each with the place of its text.';
revoke all on function app.domain_keys, app.keys_in from public;
grant execute on function app.domain_keys, app.keys_in to fairlead_worker, service_role;
