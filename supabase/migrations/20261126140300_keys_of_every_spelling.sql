-- One key for each number and each company, in whatever common spelling.

create function app.without_trunk(number text) returns text
language sql immutable parallel safe set search_path = '' as $$
  select regexp_replace(regexp_replace(number,
    -- In these countries the 0 is part of the number.
    '^(\+(?!39|378|22[5679]|24[12]|676|853|992)(?:7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]'
    '|(?:2[1-689]|3[578]|42|5[09]|6[7-9]|8[0578]|9[679])[0-9]))0+(?=[1-9])', '\1'),
    '^\+11([2-9][0-9]{9})$', '+1\1')
$$;
comment on function app.without_trunk is
  'A number with its country code, without the 0 or 1 behind it that is for those who call from within, as in "+44 (0)20".';

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
    return case when plain ~ '^\+[2-9][0-9]{1,2}0' then app.without_trunk(plain) else plain end;
  end if;
  -- Marks of direction and the like may stand before a number, and "tel:". Extensions in the words that people and libraries use.
  said := regexp_replace(
    regexp_replace(lower(normalize(phone, nfkc) collate "C"), '^[^+0-9a-z]*(tel:)?[^+0-9a-z]*', ''),
    U&'([,;]?\\s*(?<![a-z])(e?xt(ensi(\00f3|o\0301?))?n?|extension|anexo|int|[\0414\0434]\043e\0431|[x#~]|;ext=)[\\s.:=,-]*\\d{1,9}#?|[\\s-]+\\d{1,5}#'
      '|[,;]+\\s*\\d{1,7}#?)[^0-9a-z]*$', '');
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
comment on function app.phone_key is
  'A number in one spelling: E.164 without an extension. Without a country code it is read as American, and of several the first is read; null where that fails.';

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

create or replace function app.company_key(name text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  plain text := lower(name collate "C");
  -- The first two are a legal form only behind other words.
  endings constant text[] := '{rl,oo,pa,lc,ulc,lllp,pty,proprietary,pte,pvt,private,sdn,bhd,gmbh,mbh,ag,kg,kgaa,ohg,ug,gbr,sarl,sas,sasu,eurl,'
    'snc,sa,srl,sl,slu,bv,nv,vof,cv,ab,oy,oyj,aps,sro,doo,kft,ltda,ltee}';
begin
  if octet_length(plain) <> length(plain) then
    plain := regexp_replace(normalize(app.folded(plain), nfkd), U&'[\2019\0300-\036f\00ad\200b-\200f\2060\feff]', '', 'g');
    plain := replace(translate(plain, U&'\03c2', U&'\03c3'), U&'\00df', 'ss');
    -- Signs and punctuation. Letters of all scripts stay, without asking the locale for them.
    plain := regexp_replace(plain, U&'[\0080-\00a9\00ab-\00b4\00b6-\00b9\00bb-\00bf\00d7\00f7\055a-\055f\0589\058a\05be\05c0\05c3\05f3' ||
      U&'\05f4\060c\061b\061f\066a-\066d\06d4\0964\0965\2000-\206f\20a0-\20cf\2190-\2bff\2e00-\2e7f\3000-\3004\3008-\3020\3030' ||
      U&'\303d\30a0\30fb\fe00-\fe0f\fe30-\fe4f\+01f000-\+01faff\+0e0000-\+0e01ef]+', ' ', 'g');
  end if;
  if strpos(plain, '.') > 0 then
    -- These are words, without their dots.
    plain := regexp_replace(plain, '(?<![a-z0-9.])(s\.p\.a|e\.v|e\.k)\.? *$', ' gmbh');
  end if;
  -- Each space twice, so that words beside each other both have their own.
  plain := left(btrim(regexp_replace(translate(plain, '''.', ''), '[\x01-\x2f\x3a-\x60\x7b-\x7f]+', '  ', 'g')), 400);
  plain := regexp_replace(' ' || plain || ' ',
    ' (?:limited  liability  (?:company|co|partnership|limited  partnership)|limited  partnership|public  limited  company'
    '|professional  (?:association|corporation|limited  liability  company)'
    '|incorporated|inc|llc|llp|lp|ltd|limited|co|company|corp|corporation|pllc|pc|plc|and) ', ' ', 'g');
  plain := btrim(regexp_replace(plain, ' +', ' ', 'g'));
  -- At the end alone, behind a name: elsewhere they are words.
  if split_part(plain, ' ', -1) = any (endings) then
    plain := regexp_replace(plain, '(?<=[^ ])(?: (?:sa rl|sa de cv|s de rl(?: de cv)?|sp z oo|' || array_to_string(endings[3:], '|') || '))+$', '');
  end if;
  return nullif(rtrim(left(plain, 300)), '');
end
$$;

revoke all on function app.without_trunk from public;
grant execute on function app.without_trunk to fairlead_worker, service_role;

-- What is stored takes its new key along. Only leads whose keys change are written, and so locked.

reindex index app.open_places_email_phone_idx;

create temporary table respelled_keys on commit drop as
select lead.id, lead.contact_keys as before, made.keys as after
from public.leads as lead, app.contact_keys(lead.phone, lead.email, lead.website, lead.place_id, lead.business_name) as made (keys)
where lead.contact_keys is distinct from made.keys;

insert into app.suppressions (kind, key, note, source, added_by, added_at)
select distinct on (made.key) kind, made.key, note, source, added_by, added_at
from app.suppressions as entry, app.suppression_key(entry.kind, substr(entry.key, length(entry.kind) + 2)) as made (key)
where entry.kind in ('phone', 'company') and made.key is distinct from entry.key and made.key is not null
order by made.key, entry.added_at
on conflict (key) do nothing;
delete from app.suppressions where kind in ('phone', 'company') and app.suppression_key(kind, substr(key, length(kind) + 2)) <> key;
insert into app.stop_requests (key, asked_at)
select made.key, min(request.asked_at) from app.stop_requests as request, app.suppression_key('phone', substr(request.key, 7)) as made (key)
where starts_with(request.key, 'phone:') and made.key is distinct from request.key and made.key is not null
group by made.key
on conflict (key) do nothing;
delete from app.stop_requests where starts_with(key, 'phone:') and app.suppression_key('phone', substr(key, 7)) <> key;

-- Past exports that held such a lead are found by its new key too.
with pairs as materialized (
  select distinct was.key as before, made.key as after
  from respelled_keys as lead, unnest(lead.before) as was (key), unnest(lead.after) as made (key)
  where split_part(was.key, ':', 1) = split_part(made.key, ':', 1) and split_part(made.key, ':', 1) in ('phone', 'company')
    and made.key <> all (lead.before)
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
from respelled_keys where respelled_keys.id = lead.id;
