-- A page whose address ends with its host is the same with a slash behind it. Its scheme was taken for a host, and the rest for its path.

create or replace function app.value_keys(value text)
 returns text[]
 language plpgsql
 immutable PARALLEL SAFE
 set search_path to ''
as $function$
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
      return array['site:' || host
        || rtrim(coalesce(substring(regexp_replace(plain, '^[a-z][a-z0-9+.-]*://', '') from '^[^/?#]+(/[^?#]*)'), ''), '/')];
    end if;
  end if;
  return app.text_keys(plain) || case when strpos(plain, ',') > 0 then app.place_keys(plain) end;
end
$function$;
