-- The keys of an imported row take a third of the time, and those of a lead half of it. They are the same as before.

create or replace function app.email_key(email text) returns text language plpgsql immutable parallel safe set search_path = '' as $$
declare
  is_plain constant boolean := octet_length(email) = length(email);
  plain text := lower(email collate "C");
  -- Most are written like this: nothing stands around them, and nothing in them makes them none.
  is_bare constant boolean := plain ~ '^[a-z0-9._%+-]+@[a-z0-9-]+(\.[a-z0-9-]+)+$';
  name text;
  host text;
begin
  if not is_bare then
    plain := regexp_replace(btrim(regexp_replace(plain, '^.*<([^<>]*)>\s*$', '\1'), E' \t\r\n'), '^mailto:|\?.*$', '', 'g');
  end if;
  if not is_plain then
    plain := btrim(app.folded(translate(plain,
      U&'\00a0\00ad\200b\200c\200d\200e\200f\202a\202b\202c\202d\202e\2060\2066\2067\2068\2069\feff', ' ')));
  end if;
  name := split_part(plain, '@', 1);
  host := rtrim(case when is_plain then split_part(plain, '@', 2) else app.ascii_host(split_part(plain, '@', 2)) end, '.');
  if not is_bare and plain ~ '[\s;,"<>()]|@.*@' then
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

create or replace function app.host_key(address text) returns text language plpgsql immutable parallel safe set search_path = '' as $$
declare
  is_plain constant boolean := octet_length(address) = length(address);
  host text;
begin
  if is_plain then
    host := lower(btrim(address) collate "C");
    host := split_part(substr(host, case when starts_with(host, 'https://') then 9 when starts_with(host, 'http://') then 8 else 1 end), '/', 1);
    -- Most are written like this. The same as below says, in a third of the time.
    if host ~ '^[a-z0-9-]+(\.[a-z0-9-]+)+$' then
      return nullif(case when starts_with(host, 'www') then regexp_replace(host, '^www\d?\.', '') else host end, '');
    end if;
  end if;
  host := substring(
    case when is_plain then lower(btrim(address) collate "C")
      else app.folded(btrim(translate(address, U&'\3002\ff0e\ff61\00a0', '... '))) end
    -- Browsers read a backslash as a slash, and overlook more than two.
    from '^(?:[a-z][a-z0-9+.-]*:[/\\]{2,})?(?:[^/\\?#]*@)?([^/\\?#:@\s]+\.[^/\\?#:@\s.]+)\.?(?:[:/\\?#]|$)');
  return nullif(regexp_replace(case when is_plain then host else app.ascii_host(host) end, '^www\d?\.', ''), '');
end
$$;

create or replace function app.company_key(name text) returns text language plpgsql immutable parallel safe set search_path = '' as $$
declare
  plain text := lower(name collate "C");
  -- The first two are a legal form only behind other words.
  endings constant text[] := array[
    'rl', 'oo', 'pa', 'lc', 'ulc', 'lllp', 'pty', 'proprietary', 'pte', 'pvt', 'private', 'sdn', 'bhd', 'gmbh', 'mbh', 'ag', 'kg', 'kgaa', 'ohg', 'ug', 'gbr',
    'sarl', 'sas', 'sasu', 'eurl', 'snc', 'sa', 'srl', 'sl', 'slu', 'bv', 'nv', 'vof', 'cv', 'ab', 'oy', 'oyj', 'aps', 'sro', 'doo', 'kft', 'ltda', 'ltee'];
  -- Of one word, wherever they stand; and no word at all.
  forms constant text[] := array[
    'incorporated', 'inc', 'llc', 'llp', 'lp', 'ltd', 'co', 'company', 'corp', 'corporation', 'pllc', 'pc', 'plc', 'and', ''];
  words text[];
  word text;
  short text := '';
begin
  if octet_length(plain) = length(plain) and length(plain) <= 100 and (strpos(plain, '.') = 0 or plain !~ '(s\.p\.a|e\.v|e\.k)\.? *$') then
    words := string_to_array(regexp_replace(translate(plain, '''.', ''), '[^a-z0-9]+', ' ', 'g'), ' ');
    -- Most have no other forms. The same as below says, in a third of the time.
    if not words && endings and not words && array['limited', 'professional', 'public', 'l', 'p'] then
      foreach word in array words loop
        if word <> all (forms) then
          short := short || ' ' || word;
        end if;
      end loop;
      return nullif(substr(short, 2), '');
    end if;
  end if;
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
$$;

create or replace function app.import_keys(phone text, email text, website text, name text, zip text) returns text[] language plpgsql immutable parallel safe set search_path = '' as $$
declare
  keys text[] := app.contact_keys(phone, email, website, null, name);
  key text;
begin
  if zip <> '' then
    foreach key in array keys loop
      if starts_with(key, 'company:') then
        return keys || ('same:' || substr(key, 9) || '@' || zip);
      end if;
    end loop;
  end if;
  return keys;
end
$$;

comment on function app.same_key is 'A business by its name and ZIP code; null without either. Nothing calls it anymore: the next release drops it.';
