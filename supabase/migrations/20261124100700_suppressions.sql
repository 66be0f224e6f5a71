-- Who must not be contacted any more, by anyone of this installation. Each lead carries the keys under which it may be meant.

create function app.phone_key(phone text) returns text language sql immutable parallel safe set search_path = '' as $$
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
$$;
comment on function app.phone_key is
  'A number in one spelling: E.164 without an extension. Without a country code it is read as American; null where that fails.';

create function app.email_key(email text) returns text language sql immutable parallel safe set search_path = '' as $$
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
$$;
comment on function app.email_key is
  'An address in lower case, without what its provider ignores: tags, and the dots of Gmail. Null for what is no address.';

create function app.host_key(address text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return nullif(regexp_replace(
    substring(lower(btrim(address)) from '^(?:[a-z][a-z0-9+.-]*://)?(?:[^/?#@]*@)?([^/?#:@\s]+\.[^/?#:@\s.]+)\.?(?:[:/?#]|$)'),
    '^www\d?\.', ''), '');
end
$$;
comment on function app.host_key is 'The host of a website or domain in lower case, without "www.".';

create function app.company_key(name text) returns text language sql immutable parallel safe set search_path = '' as $$
  select nullif(coalesce(nullif(btrim(regexp_replace(
      regexp_replace(plain.text, '\m(incorporated|inc|llc|llp|lp|ltd|limited|co|company|corp|corporation|pllc|pc|plc)\M', ' ', 'g'),
      '\s+', ' ', 'g')), ''), plain.text), '')
  from (
    select left(btrim(regexp_replace(regexp_replace(lower(normalize(name, nfkd)), '[’''.\u0300-\u036f]', '', 'g'),
      '[^[:alnum:]]+', ' ', 'g')), 300) as text
  ) as plain
$$;
comment on function app.company_key is 'A name in lower case, without accents, punctuation and legal form.';

create function app.suppression_key(kind text, value text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return kind || ':' || case kind
    when 'phone' then app.phone_key(value)
    when 'email' then app.email_key(value)
    when 'domain' then app.host_key(value)
    when 'business' then nullif(btrim(value), '')
    when 'company' then app.company_key(value)
  end;
end
$$;
comment on function app.suppression_key is 'Under which key an entry stands; null where the value is none of its kind.';

-- In plpgsql, because it is asked for each lead that is stored: as one statement of SQL it takes three times as long.
create function app.contact_keys(phone text, email text, website text, place_id text, name text) returns text[]
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  address text := app.email_key(email);
  keys text[] := array_remove(array[
    'phone:' || app.phone_key(phone), 'email:' || address, 'business:' || nullif(btrim(place_id), ''),
    'company:' || app.company_key(name)
  ], null);
  host text;
begin
  -- A domain means all below it: "a.example.com" stands under "example.com" as well.
  foreach host in array array[app.host_key(website), split_part(address, '@', 2)] loop
    while strpos(host, '.') > 0 loop
      exit when 'domain:' || host = any(keys);
      keys := keys || ('domain:' || host);
      host := substr(host, strpos(host, '.') + 1);
    end loop;
  end loop;
  return keys;
end
$$;
comment on function app.contact_keys is 'Every key under which a contact may be suppressed.';
revoke all on function app.phone_key, app.email_key, app.host_key, app.company_key, app.suppression_key, app.contact_keys
  from public;
grant execute on function app.phone_key, app.email_key, app.host_key, app.company_key, app.suppression_key, app.contact_keys
  to fairlead_worker, service_role;

create table app.suppressions (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('phone', 'email', 'domain', 'business', 'company')),
  key text not null unique check (starts_with(key, kind || ':') and char_length(key) <= 400),
  note text check (char_length(note) <= 500),
  source text not null check (source in ('hand', 'file', 'call', 'crm', 'public')),
  added_by uuid references auth.users on delete set null,
  added_at timestamptz not null default now()
);
comment on table app.suppressions is
  'Who must not be contacted any more, by anyone of this installation. An entry outlives the account that added it.';
comment on column app.suppressions.key is 'What app.suppression_key makes of the value. Leads have theirs in contact_keys.';
create index suppressions_added_at_idx on app.suppressions (added_at desc, id desc);
create index suppressions_added_by_idx on app.suppressions (added_by);

alter table app.suppressions enable row level security;
alter table app.suppressions force row level security;
create policy server on app.suppressions to fairlead_worker, service_role using (true) with check (true);
grant select, insert, update, delete on app.suppressions to service_role;
grant select on app.suppressions to fairlead_worker;

alter table public.leads add column contact_keys text[]
  generated always as (app.contact_keys(phone, email, website, place_id, business_name)) stored;
comment on column public.leads.contact_keys is 'The keys under which the lead may stand in app.suppressions.';
create index leads_contact_keys_idx on public.leads using gin (contact_keys);
