-- Phone numbers that others told are known with other dashes, and as people write them within and outside their country.
create or replace function app.folded_text(value text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  -- Not lower() alone, nor classes of letters: what they know depends on the locale, which is "C" with our own PostgreSQL.
  if octet_length(value) = char_length(value) then
    return btrim(lower(value collate "C"));
  end if;
  return btrim(translate(
    lower(regexp_replace(normalize(translate(value, '™℠', ''), nfkd),
      '[\u00ad\u0300-\u036f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+', '', 'g') collate "C"),
    'ÆØÐÞĐĦŁŊŒŦẞΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩςАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЂЄЅІЈЉЊЋЏҐ' || U&'\2010\2011\2012\2013\2014\2015\2212',
    'æøðþđħłŋœŧßαβγδεζηθικλμνξοπρστυφχψωσабвгдежзиклмнопрстуфхцчшщъыьэюяђєѕіјљњћџґ' || '-------'));
end
$$;

create function app.national_of(phone text) returns text
language sql immutable parallel safe set search_path = '' as $$
  select substring(phone from '^\+(?:7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]'
    '|(?:2[1-689]|3[578]|42|5[09]|6[7-9]|8[0578]|9[679])[0-9])([0-9]+)$')
$$;
comment on function app.national_of is 'What stands behind the country code of a phone key. Null in North America, where no one writes it without the area code.';

create function app.phone_keys(plain text) returns text[]
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  phone text := app.phone_key(plain);
  national text := app.national_of(phone);
  digits text := regexp_replace(regexp_replace(plain, '(x|ext|#)[.:\s]*[0-9]{1,7}$', ''), '[^0-9]', '', 'g');
begin
  return array_remove(array[
    'phone:' || phone,
    -- "+44 (0)1624": the 0 is for those who call without country code.
    case when national like '0%' then 'phone:' || left(phone, -length(national)) || ltrim(national, '0') end,
    case when digits ~ '^0[1-9][0-9]{7,13}$' or phone is null and digits ~ '^[1-9][0-9]{8}$' then
      'phone:0' || ltrim(digits, '0') end], null);
end
$$;
comment on function app.phone_keys is 'By what a phone number is known again: with its country code, or without it.';

create or replace function app.value_keys(value text) returns text[]
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  plain text := app.folded_text(value);
  host text;
  phones text[];
begin
  if plain is null then
    return '{}';
  end if;
  if plain ~ '^[^0-9a-z]*(tel:)?[^0-9a-z]*[0-9][-0-9().+\s/]{6,25}((x|ext|#)[.:\s]*[0-9]{1,7})?$' then
    phones := app.phone_keys(plain);
    if cardinality(phones) > 0 then
      return phones;
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

create or replace function app.told_keys(name text, phone text, address text, website text) returns text[]
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  folded text := app.folded_text(address);
begin
  return array_remove(array[
      app.name_key(name),
      'site:' || app.host_key(app.folded_text(website)),
      'phone:0' || ltrim(app.national_of(app.phone_key(phone)), '0')], null)
    || app.value_keys(phone) || app.value_keys(website) || app.name_at_keys(name, address)
    -- Where only the town is known, everyone there has the same.
    || case when folded ~ '[0-9]' and folded !~ '^[^,0-9]*,\s*[a-z]{2}\s+[0-9]{5}(-[0-9]{4})?(,\s*usa)?$' then
      app.value_keys(address) || app.text_keys(app.street_of(folded)) end;
end
$$;

revoke all on function app.national_of, app.phone_keys from public;
grant execute on function app.national_of, app.phone_keys to service_role, fairlead_worker;
