-- One key for a number with an extension sign at its end, with what its country dials before it, and in Arabic or Persian
-- digits. And one for addresses with marks that no one sees, and for websites with backslashes.

create or replace function app.without_trunk(number text) returns text
language sql immutable parallel safe set search_path = '' as $$
  select regexp_replace(regexp_replace(case
      -- Mexico's 1 before mobile numbers, 01, 044 and 045, all without meaning since 2019.
      when number like '+52%' then regexp_replace(number, '^\+52(?:0?1|04[45])([2-9][0-9]{9})$', '+52\1')
      when number like '+36%' then regexp_replace(number, '^\+3606([1-9][0-9]{7,8})$', '+36\1')
      -- 8, of Russia and its neighbors. Only a number that is one digit too long begins with it.
      when number ~ '^\+(7|37|99)' then
        regexp_replace(number, '^(\+7(?=8[0-9]{10}$)|\+370(?=8[0-9]{8}$)|\+993(?=8[0-9]{8}$)|\+375(?=80?[1-9][0-9]{8}$))80?', '\1')
      -- Argentina's 15 behind the area code of a mobile number, which is a 9 before it from abroad.
      when number like '+54%' then
        regexp_replace(number, '^\+540?9?(?:(11)15([0-9]{8})|([23][0-9]{2})15([0-9]{7})|([23][0-9]{3})15([0-9]{6}))$', '+549\1\2\3\4\5\6')
      else number end,
    -- In these countries the 0 is part of the number.
    '^(\+(?!39|378|22[5679]|24[12]|676|853|992)(?:7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]'
    '|(?:2[1-689]|3[578]|42|5[09]|6[7-9]|8[0578]|9[679])[0-9]))0+(?=[1-9])', '\1'),
    '^\+11([2-9][0-9]{9})$', '+1\1')
$$;
comment on function app.without_trunk is
  'A number with its country code, without what only those dial who call from within, such as the 0 in "+44 (0)20".';

create function app.without_extension(said text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  -- Extensions in the words that people and libraries use.
  marked text := regexp_replace(said,
    U&'[,;]?\\s*(?<![a-z])(e?xt(ensi(\00f3|o\0301?))?n?|extension|anexo|int|[\0414\0434]\043e\0431|[x#~]|;ext=)[\\s.:=,-]*\\d{1,9}#?[^0-9a-z]*$', '');
  bare text;
begin
  if marked <> said and length(regexp_replace(marked, '[^0-9a-z]', '', 'g')) >= (case when said ~ '^(00|011)|[+]' then 8 else 10 end) then
    return marked;
  end if;
  -- Without such a word, the digits at the end may be part of the number: "303-555-0142#" and "+44 20 7946, 0958".
  bare := regexp_replace(said, '([\s-]+\d{1,5}#|[,;]+\s*\d{1,7}#?)[^0-9a-z]*$', '');
  return case when length(regexp_replace(regexp_replace(bare, '[^0-9]', '', 'g'), '^(011|00)', ''))
    >= case when said ~ '^(00|011)|[+]' then 11 else 10 end then bare else said end;
end
$$;
comment on function app.without_extension is
  'A number in lower case without its extension. Nothing is taken from a number that would not be whole without it.';

create function app.plain_number(said text) returns text
language sql immutable parallel safe set search_path = '' as $$
  select translate(normalize(said, nfkc),
    U&'\0660\0661\0662\0663\0664\0665\0666\0667\0668\0669\06f0\06f1\06f2\06f3\06f4\06f5\06f6\06f7\06f8\06f9'
      '\2010\2011\2012\2013\2014\2015\2212\00b7\2022\00ad\200b\200c\200d\200e\200f\202a\202b\202c\202d\202e\2060\2066\2067\2068\2069\feff',
    '01234567890123456789-------..')
$$;
comment on function app.plain_number is
  'A text with the digits of Arabic and Persian as others, with one kind of dash and point between them, and without marks that no one sees.';

create or replace function app.phone_key(phone text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  plain text := translate(phone, ' -', '');
  said text;
  called text;
  digits text;
begin
  -- The same as below says, in a quarter of the time.
  if plain ~ '^\+(1[0-9]{10}|[2-9][0-9]{7,14})$' then
    return case when plain like '+1%' then plain else app.without_trunk(plain) end;
  end if;
  -- Marks of direction and the like may stand before a number, and "tel:".
  said := case when octet_length(phone) = length(phone) then phone else app.plain_number(phone) end;
  said := regexp_replace(lower(said collate "C"), '^[^+0-9a-z]*(tel:)?[^+0-9a-z]*', '');
  if said ~ '[^-+0-9() ./]' then
    said := app.without_extension(said);
  end if;
  foreach called in array array[
    -- With words around it, the number is what stands in digits. Letters on a keypad are the last that is tried.
    case when said !~ '[a-z]' then said end,
    substring(said from '\+[2-9](?:[\s().\-/]{0,3}[0-9]){7,14}(?![0-9])'),
    substring(said from '(?<![0-9])(?:1[\s().\-/]{0,3})?[2-9][0-9]{2}[\s().\-/]{0,3}[2-9][0-9]{2}[\s().\-/]{0,3}[0-9]{4}(?![0-9])'),
    case when said ~ '[a-z]' then translate(said, 'abcdefghijklmnopqrstuvwxyz', '22233344455566677778889999') end
  ] loop
    digits := regexp_replace(called, '[^0-9]', '', 'g');
    digits := case
      when called ~ '^(\+|00|011)' and length(digits) between 8 and 18 then app.without_trunk('+' || regexp_replace(digits, '^(011|00)', ''))
      when length(digits) = 10 then '+1' || digits
      when length(digits) = 11 and digits like '1%' then '+' || digits
    end;
    -- No number is longer.
    if digits !~ '^\+(1[0-9]{11}|[0-9]{16})' then
      return digits;
    end if;
  end loop;
  return null;
end
$$;

create or replace function app.contacts_in(texts text[]) returns table (place bigint, key text)
language sql immutable parallel safe set search_path = '' as $$
  with said as materialized (
    select one.place, case when octet_length(one.text) = length(one.text) then one.text else normalize(one.text, nfkc) end as text
    from unnest(texts) with ordinality as one (text, place) where one.text ~ U&'[@0-9\ff10-\ff19\0660-\0669\06f0-\06f9]'
  ), counted as materialized (
    -- What is left without the signs that a number is written with, if that is all there is.
    select said.place, one.text, length(one.text) - length(translate(one.text, '0123456789', '')) as digits,
      translate(one.text, '()-./ ', '') as plain
    from said, lateral (
      select case when octet_length(said.text) = length(said.text) then said.text else app.plain_number(said.text) end as text) as one
  ), called as materialized (
    select counted.*, counted.plain ~ '^([2-9][0-9]{9}|[+]?1[0-9]{10})$' as american from counted where counted.digits >= 10
  )
  select said.place, 'email:' || app.email_key(found[1])
  from said, regexp_matches(said.text, '([^[:space:]<>(),;:"]+@[^[:space:]<>(),;:"]+)', 'g') as found where strpos(said.text, '@') > 0
  union all
  select called.place, 'phone:+1' || right(called.plain, 10) from called where called.american
  union all
  select called.place, 'phone:' || case
    when found[1] ~ '^([+]|00|011)' then app.without_trunk('+' || regexp_replace(written.digits, '^(011|00)', ''))
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
  where called.digits > 10 and not called.american
$$;

create or replace function app.email_key(email text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  is_plain constant boolean := octet_length(email) = length(email);
  plain text := regexp_replace(
    btrim(lower(regexp_replace(email, '^.*<([^<>]*)>\s*$', '\1') collate "C"), E' \t\r\n'), '^mailto:|\?.*$', '', 'g');
  name text;
  host text;
begin
  if not is_plain then
    plain := btrim(app.folded(translate(plain,
      U&'\00a0\00ad\200b\200c\200d\200e\200f\202a\202b\202c\202d\202e\2060\2066\2067\2068\2069\feff', ' ')));
  end if;
  name := split_part(plain, '@', 1);
  host := rtrim(case when is_plain then split_part(plain, '@', 2) else app.ascii_host(split_part(plain, '@', 2)) end, '.');
  if plain ~ '[\s;,"<>()]|@.*@' then
    return null;
  end if;
  host := case when host = 'googlemail.com' then 'gmail.com' else host end;
  name := case
    when host = 'gmail.com' then replace(split_part(name, '+', 1), '.', '')
    when host in ('proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me') then translate(split_part(name, '+', 1), '.-_', '')
    when host in ('icloud.com', 'me.com', 'mac.com', 'msn.com', 'fastmail.com')
      or host ~ '^(outlook|hotmail|live)\.(com|[a-z]{2}|com?\.[a-z]{2})$' then split_part(name, '+', 1)
    else name end;
  return case when name <> '' and host like '%_._%' then name || '@' || host end;
end
$$;

create or replace function app.host_key(address text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  is_plain constant boolean := octet_length(address) = length(address);
  host text := substring(
    case when is_plain then lower(btrim(address) collate "C")
      else app.folded(btrim(translate(address, U&'\3002\ff0e\ff61\00a0', '... '))) end
    -- Browsers read a backslash as a slash, and overlook more than two.
    from '^(?:[a-z][a-z0-9+.-]*:[/\\]{2,})?(?:[^/\\?#]*@)?([^/\\?#:@\s]+\.[^/\\?#:@\s.]+)\.?(?:[:/\\?#]|$)');
begin
  return nullif(regexp_replace(case when is_plain then host else app.ascii_host(host) end, '^www\d?\.', ''), '');
end
$$;

revoke all on function app.without_extension, app.plain_number from public;
grant execute on function app.without_extension, app.plain_number to fairlead_worker, service_role;

-- What is stored takes its new key along. Only leads whose keys change are written, and so locked.

reindex index app.open_places_email_phone_idx;
reindex index app.open_places_email_host_idx;

create temporary table newly_spelled_keys on commit drop as
select lead.id, lead.contact_keys as before, made.keys as after
from public.leads as lead, app.contact_keys(lead.phone, lead.email, lead.website, lead.place_id, lead.business_name) as made (keys)
where lead.contact_keys is distinct from made.keys;

insert into app.suppressions (kind, key, note, source, added_by, added_at)
select distinct on (made.key) kind, made.key, note, source, added_by, added_at
from app.suppressions as entry, app.suppression_key(entry.kind, substr(entry.key, length(entry.kind) + 2)) as made (key)
where entry.key !~ '^(phone:\+1|company:|business:)' and made.key is distinct from entry.key and made.key is not null
order by made.key, entry.added_at
on conflict (key) do nothing;
delete from app.suppressions
where key !~ '^(phone:\+1|company:|business:)' and app.suppression_key(kind, substr(key, length(kind) + 2)) <> key;
insert into app.stop_requests (key, asked_at)
select made.key, min(request.asked_at) from app.stop_requests as request, app.suppression_key('phone', substr(request.key, 7)) as made (key)
where starts_with(request.key, 'phone:') and made.key is distinct from request.key and made.key is not null
group by made.key
on conflict (key) do nothing;
delete from app.stop_requests where starts_with(key, 'phone:') and app.suppression_key('phone', substr(key, 7)) <> key;

-- Past exports that held such a lead are found by its new key too.
with pairs as materialized (
  select distinct was.key as before, made.key as after
  from newly_spelled_keys as lead, unnest(lead.before) as was (key), unnest(lead.after) as made (key)
  where split_part(was.key, ':', 1) = split_part(made.key, ':', 1) and made.key <> all (lead.before)
), holding as (
  select part.export_id, part.part, array_agg(distinct (app.short_hashes(array[pairs.after]))[1]) as hashes
  from pairs join app.export_contacts as part on part.hashes @> app.short_hashes(array[pairs.before])
  group by part.export_id, part.part
)
update app.export_contacts as part set hashes = part.hashes || holding.hashes
from holding where part.export_id = holding.export_id and part.part = holding.part;

-- An erased number that no one could read before goes.
update public.leads as lead
set phone = case when not app.is_erased(array_remove(array[app.suppression_key('phone', lead.phone)], null)) then lead.phone end
from newly_spelled_keys where newly_spelled_keys.id = lead.id;

-- The owners of exports that held such a lead are told at the next look.
update app.suppression_settings set watched_to = '-infinity'
where exists (select from app.exports) and exists (select from newly_spelled_keys);
