-- A changed row is told with whom it belongs to, so that only they are asked whether they see it. What they are asked is planned once for
-- each connection. Processes of the version before go on with realtime.visible_rows() and ask everybody.

-- Tells of changed rows by their ids, as many at once as a notification holds, each with its owner as it is after the change: an SQL
-- expression over the row `r`. A deleted row can not be looked at any more, so without an owner nobody is told of it.
create or replace function realtime.tell_change() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  name constant text := tg_table_schema || '.' || tg_table_name;
  ids_at_once constant integer := 150;
begin
  if not exists (
    select from realtime.processes as p where p.alive_until > clock_timestamp() and name = any (p.tables)
  ) then
    return null;
  end if;
  execute format(
    $sql$
      select pg_notify('realtime_change', json_build_object('table', $1, 'type', $2, 'at', $3, 'owner', owner, 'ids', ids)::text)
      from (
        select owner, json_agg(id) as ids
        from (
          select id, owner, (row_number() over (partition by owner) - 1) / $4 as part
          from (select r.id, %s as owner from changed as r) as one
          where owner is not null or $2 <> 'DELETE'
        ) as counted
        group by owner, part
        order by part
      ) as told
    $sql$,
    tg_argv[0]
  ) using name, tg_op, clock_timestamp(), ids_at_once;
  return null;
end
$$;

-- Makes the function that answers which rows of a table people see, under row-level security: question n is which of ids[firsts[n]] to
-- ids[lasts[n]] are visible with claims[n]. Rows are found by their ids, however small the table was when that was planned.
create function realtime.answer_for(target regclass) returns void language plpgsql set search_path = '' as $$
declare
  name constant text := (
    select format('visible in %s.%s', n.nspname, c.relname)
    from pg_catalog.pg_class as c join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
    where c.oid = target
  );
  signature constant text := 'uuid[], text[], integer[], integer[]';
begin
  execute format(
    $sql$
      create or replace function realtime.%I(ids uuid[], claims text[], firsts integer[], lasts integer[])
      returns table (question integer, id uuid) language plpgsql
      set search_path = '' set plan_cache_mode = 'force_generic_plan' set enable_seqscan = off set jit = off as $body$
      declare
        asked uuid[];
      begin
        perform set_config('role', 'authenticated', true);
        for question in 1 .. cardinality(claims) loop
          asked := ids[firsts[question]:lasts[question]];
          perform set_config('request.jwt.claims', claims[question], true);
          return query select question, t.id from %s as t where t.id = any (asked);
        end loop;
      end
      $body$
    $sql$,
    name, target
  );
  execute format('revoke all on function realtime.%I(%s) from public', name, signature);
  execute format('grant execute on function realtime.%I(%s) to service_role', name, signature);
end
$$;
revoke all on function realtime.answer_for(regclass) from public;

-- Lets people subscribe to a table, which must have a key `id`. Nobody but the owner is told of a row, whoever else may read it; with
-- null for the owner, everybody is asked whether they see it, and nobody is told of what is deleted.
create or replace function realtime.watch(target regclass, owner text) returns void language plpgsql set search_path = '' as $$
declare
  event text;
begin
  perform realtime.answer_for(target);
  foreach event in array array['insert', 'update', 'delete'] loop
    execute format(
      'create trigger tell_%s after %1$s on %s referencing %s table as changed for each statement execute function realtime.tell_change(%L)',
      event, target, case when event = 'delete' then 'old' else 'new' end, coalesce(owner, 'null')
    );
  end loop;
end
$$;

select realtime.answer_for(watched.tgrelid::regclass)
from (
  select distinct tgrelid from pg_catalog.pg_trigger where tgfoid = 'realtime.tell_change'::regproc
) as watched;
