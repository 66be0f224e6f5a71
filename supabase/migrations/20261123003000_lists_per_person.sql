-- A person has at most 1,000 lists, archived ones included, and makes at most 100 in one statement. It holds for every role but
-- the owner of the table: a restore, and whoever fills a database as its owner, are not bound.

-- Roles without usage on schema app can not call it themselves; triggers do.
create function app.is_bound_by_limits() returns boolean language sql stable set search_path = ''
as $$
  select not pg_catalog.pg_has_role(current_user, relowner, 'usage')
  from pg_catalog.pg_class where oid = 'public.lists'::pg_catalog.regclass
$$;
revoke execute on function app.is_bound_by_limits() from public;
grant execute on function app.is_bound_by_limits() to authenticated, service_role, fairlead_web, fairlead_worker;

create function app.limit_lists() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  whose uuid;
  made bigint;
begin
  -- In one order, so that two statements never wait for each other.
  for whose, made in select user_id, count(*) from made_lists group by user_id order by user_id loop
    if made > 100 then
      raise exception 'At most 100 lists can be made at once.'
        using errcode = 'check_violation', constraint = 'lists_at_once', schema = 'public', table = 'lists', hint = 'Send several requests.';
    end if;
    -- Whoever makes a list of theirs meanwhile waits until this one is committed, and then counts it.
    perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('lists of ' || whose::text, 0));
    if (select count(*) > 1000 from public.lists where user_id = whose) then
      raise exception 'You have 1,000 lists, which is the most one account can have. Delete lists you no longer need, archived ones included.'
        using errcode = 'check_violation', constraint = 'lists_per_person', schema = 'public', table = 'lists', hint = 'Delete lists you no longer need.';
    end if;
  end loop;
  return null;
end
$$;
revoke execute on function app.limit_lists() from public;

create trigger limit_lists after insert on public.lists
  referencing new table as made_lists
  for each statement when (app.is_bound_by_limits()) execute function app.limit_lists();
