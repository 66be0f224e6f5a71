-- A legal form whose letters stand by themselves is one, too: "Acme L L C" is the company that "Acme LLC" is.

create or replace function app.company_key(name text)
 returns text
 language plpgsql
 immutable PARALLEL SAFE
 set search_path to ''
as $function$
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
  -- In letters by themselves, as registers write it: "L L C", "P. C.". Behind a single letter, two are initials.
  if strpos(plain, ' l ') > 0 or strpos(plain, ' p ') > 0 then
    plain := regexp_replace(plain, '(?<=[^ ])(?: (?:p l l c|l l c|l l p)|(?<=[^ ][^ ]) (?:p c|l p))$', '');
  end if;
  -- At the end alone, behind a name: elsewhere they are words.
  if split_part(plain, ' ', -1) = any (endings) then
    plain := regexp_replace(plain, '(?<=[^ ])(?: (?:sa rl|sa de cv|s de rl(?: de cv)?|sp z oo|' || array_to_string(endings[3:], '|') || '))+$', '');
  end if;
  return nullif(rtrim(left(plain, 300)), '');
end
$function$;

-- What is stored takes its new key along. Only leads whose keys change are written, and so locked.

create temporary table newly_spelled_companies on commit drop as
select lead.id, 'company:' || app.company_key(lead.business_name) as after,
  (select key from unnest(lead.contact_keys) as key where starts_with(key, 'company:')) as before
from public.leads as lead
where lead.business_name ~* '\m[lp][^[:alnum:]]+[lpc]\M'
  and not ('company:' || app.company_key(lead.business_name)) = any (lead.contact_keys);

create temporary table newly_spelled_entries on commit drop as
select entry.id, entry.added_at, entry.asked_at, made.key, row_number() over (partition by made.key order by entry.added_at) = 1 as is_first
from app.suppressions as entry, app.suppression_key('company', substr(entry.key, 9)) as made (key)
where entry.kind = 'company' and made.key <> entry.key;

-- Of two entries that are one now, the older request counts.
update app.suppressions as entry set asked_at = older.asked_at
from (
  select key, min(coalesce(asked_at, added_at)) as asked_at from newly_spelled_entries group by key
) as older
where entry.key = older.key and older.asked_at < coalesce(entry.asked_at, entry.added_at);
update app.suppressions as entry set key = made.key from newly_spelled_entries as made
where entry.id = made.id and made.is_first and not exists (select from app.suppressions as other where other.key = made.key);
delete from app.suppressions as entry using newly_spelled_entries as made where entry.id = made.id and entry.key <> made.key;

-- Past exports that held such a lead are found by its new key too.
with pairs as materialized (
  select distinct before, after from newly_spelled_companies where before is not null
), holding as (
  select part.export_id, part.part, array_agg(distinct (app.short_hashes(array[pairs.after]))[1]) as hashes
  from pairs join app.export_contacts as part on part.hashes @> app.short_hashes(array[pairs.before])
  group by part.export_id, part.part
)
update app.export_contacts as part set hashes = part.hashes || holding.hashes
from holding where part.export_id = holding.export_id and part.part = holding.part;

update public.leads as lead set business_name = lead.business_name
from newly_spelled_companies as company where company.id = lead.id;

-- The owners of exports that held such a lead are told at the next look.
update app.suppression_settings set watched_to = '-infinity'
where exists (select from app.exports) and exists (select from newly_spelled_companies);
