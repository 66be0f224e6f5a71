-- Who must not be contacted any more, and under which keys a contact is found.
-- Written by `npm run db:types` from the migrations. Do not edit.

-- Who must not be contacted any more, by anyone of this installation. An entry outlives the account that added it.
create table app.suppressions (
  id uuid not null default gen_random_uuid(),
  kind text not null,
  key text not null, -- What app.suppression_key makes of the value. Leads have theirs in contact_keys.
  note text,
  source text not null,
  added_by uuid,
  added_at timestamptz not null default now(),
  constraint suppressions_pkey primary key (id),
  constraint suppressions_key_key unique (key),
  constraint suppressions_added_by_fkey foreign key (added_by) references auth.users(id) on delete set null,
  constraint suppressions_check check (starts_with(key, kind || ':') and char_length(key) <= 400),
  constraint suppressions_kind_check check (kind in ('phone', 'email', 'domain', 'business', 'company')),
  constraint suppressions_note_check check (char_length(note) <= 500),
  constraint suppressions_source_check check (source in ('hand', 'file', 'call', 'crm', 'public'))
);
create index suppressions_added_at_idx on app.suppressions (added_at desc, id desc);
create index suppressions_added_by_idx on app.suppressions (added_by);
alter table app.suppressions enable row level security;
alter table app.suppressions force row level security;
create policy server on app.suppressions to fairlead_worker, service_role
  using (true)
  with check (true);
grant select on app.suppressions to fairlead_worker;
grant select, insert, update, delete on app.suppressions to service_role;

-- A number in one spelling: E.164 without an extension. Without a country code it is read as American; null where that fails.
-- May be called by: fairlead_worker, service_role.
create function app.phone_key(phone text)
 returns text
 language sql
 immutable PARALLEL SAFE
 set search_path to ''
as $function$
  select case
    when plain.text ~ '^(\+|00|011)' and length(plain.digits) between 8 and 18
      then '+' || regexp_replace(plain.digits, '^(011|00)', '')
    when length(plain.digits) = 10 then '+1' || plain.digits
    when length(plain.digits) = 11 and plain.digits like '1%' then '+' || plain.digits
  end
  from (
    select called.text, regexp_replace(called.text, '\D', '', 'g') as digits
    from (
      select translate(regexp_replace(btrim(lower(phone)), '[,;]?\s*(extension|ext\.?|x|#|;ext=)\s*\d{1,7}\s*$', ''),
        'abcdefghijklmnopqrstuvwxyz', '22233344455566677778889999') as text
    ) as called
  ) as plain
$function$;

-- An address in lower case, without what its provider ignores: tags, and the dots of Gmail. Null for what is no address.
-- May be called by: fairlead_worker, service_role.
create function app.email_key(email text)
 returns text
 language sql
 immutable PARALLEL SAFE
 set search_path to ''
as $function$
  select case when parts.name <> '' and parts.host like '%_._%' then
    case
      when parts.host = 'gmail.com' then replace(split_part(parts.name, '+', 1), '.', '')
      when parts.host in ('outlook.com', 'hotmail.com', 'live.com', 'icloud.com', 'me.com', 'fastmail.com', 'proton.me',
        'protonmail.com') then split_part(parts.name, '+', 1)
      else parts.name
    end || '@' || parts.host end
  from (
    select split_part(plain.text, '@', 1) as name,
      case split_part(plain.text, '@', 2) when 'googlemail.com' then 'gmail.com' else split_part(plain.text, '@', 2) end as host
    from (select lower(btrim(email)) as text) as plain
  ) as parts
$function$;

-- The host of a website or domain in lower case, without "www.".
-- May be called by: fairlead_worker, service_role.
create function app.host_key(address text)
 returns text
 language sql
 immutable PARALLEL SAFE
 set search_path to ''
as $function$
  select nullif(regexp_replace(
    substring(lower(btrim(address)) from '^(?:[a-z][a-z0-9+.-]*://)?(?:[^/?#@]*@)?([^/?#:@\s]+\.[^/?#:@\s.]+)\.?(?:[:/?#]|$)'),
    '^www\d?\.', ''), '')
$function$;

-- A name in lower case, without accents, punctuation and legal form.
-- May be called by: fairlead_worker, service_role.
create function app.company_key(name text)
 returns text
 language sql
 immutable PARALLEL SAFE
 set search_path to ''
as $function$
  select nullif(coalesce(nullif(btrim(regexp_replace(
      regexp_replace(plain.text, '\m(incorporated|inc|llc|llp|lp|ltd|limited|co|company|corp|corporation|pllc|pc|plc)\M', ' ', 'g'),
      '\s+', ' ', 'g')), ''), plain.text), '')
  from (
    select left(btrim(regexp_replace(regexp_replace(lower(normalize(name, nfkd)), '[’''.\u0300-\u036f]', '', 'g'),
      '[^[:alnum:]]+', ' ', 'g')), 300) as text
  ) as plain
$function$;

-- Under which key an entry stands; null where the value is none of its kind.
-- May be called by: fairlead_worker, service_role.
create function app.suppression_key(kind text, value text)
 returns text
 language sql
 immutable PARALLEL SAFE
 set search_path to ''
as $function$
  select kind || ':' || case kind
    when 'phone' then app.phone_key(value)
    when 'email' then app.email_key(value)
    when 'domain' then app.host_key(value)
    when 'business' then nullif(btrim(value), '')
    when 'company' then app.company_key(value)
  end
$function$;

-- Every key under which a contact may be suppressed.
-- May be called by: fairlead_worker, service_role.
create function app.contact_keys(phone text, email text, website text, place_id text, name text)
 returns text[]
 language sql
 immutable PARALLEL SAFE
 set search_path to ''
as $function$
  select array_remove(array[
      app.suppression_key('phone', phone), app.suppression_key('email', email), app.suppression_key('business', place_id),
      app.suppression_key('company', name)
    ], null) || array(
      -- A domain means all below it: "a.example.com" stands under "example.com" as well.
      select distinct 'domain:' || array_to_string(labels[first:], '.')
      from unnest(array[app.host_key(website), split_part(app.email_key(email), '@', 2)]) as host (name),
        string_to_array(host.name, '.') as labels, generate_series(1, cardinality(labels) - 1) as first
      order by 1
    )
$function$;
