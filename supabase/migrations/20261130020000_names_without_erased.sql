-- A name that someone types after an erasure, or that was on its way, must not bring back who is gone. Browsers write names of lists
-- themselves, so the tables see to it.
create function app.without_erased(said jsonb) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return case jsonb_typeof(said)
    when 'string' then case
      when app.is_erased(array(select found.key from app.contacts_in(array[said #>> '{}']) as found where found.key is not null))
        then '"[erased]"' else said end
    when 'array' then (
      select coalesce(jsonb_agg(app.without_erased(one.value) order by one.place), '[]')
      from jsonb_array_elements(said) with ordinality as one (value, place))
    when 'object' then (
      select coalesce(jsonb_object_agg(one.key, app.without_erased(one.value)), '{}') from jsonb_each(said) as one (key, value))
    else said
  end;
end
$$;
comment on function app.without_erased is
  'The same with [erased] in place of each text that holds an erased number or address in a usual spelling.';

create function app.forget_erased_names() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from app.erased_contacts) then
    new := jsonb_populate_record(new, (
      select jsonb_object_agg(one.key, app.without_erased(one.value))
      from jsonb_each(to_jsonb(new)) as one (key, value) where one.key = any (tg_argv)));
  end if;
  return new;
end
$$;
comment on function app.forget_erased_names is
  'What people call something names no erased contact. Its arguments: the columns.';

create trigger forget_erased_names before insert or update of name, search_params, came_from on public.lists
  for each row execute function app.forget_erased_names('name', 'search_params', 'came_from');
create trigger forget_erased_names before insert or update of name, list_name on app.imports
  for each row execute function app.forget_erased_names('name', 'list_name');
-- These copy names of lists.
create trigger forget_erased_names before insert or update of list_name on app.runs
  for each row execute function app.forget_erased_names('list_name');
create trigger forget_erased_names before insert or update of list_name, file_name on app.exports
  for each row execute function app.forget_erased_names('list_name', 'file_name');
create trigger forget_erased_names before insert or update of list_name on app.usage_lists
  for each row execute function app.forget_erased_names('list_name');

revoke all on function app.without_erased, app.forget_erased_names from public;
grant execute on function app.without_erased to service_role, fairlead_worker;
