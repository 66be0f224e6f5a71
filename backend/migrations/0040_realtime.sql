-- What Realtime needs: which processes have subscribers, how their tables tell of changes, and who may use a private channel.

create schema realtime;
grant usage on schema realtime to authenticated, service_role;

-- Changes are told only while a living process has subscribers to their table ('public.lists').
create unlogged table realtime.processes (
  id uuid primary key,
  tables text[] not null,
  alive_until timestamptz not null
);

-- Nothing stays in here: its policies say who may listen to a private channel (select) and who may speak in it (insert).
create unlogged table realtime.messages (
  id uuid primary key default gen_random_uuid(),
  topic text not null,
  extension text not null check (extension in ('broadcast', 'presence')),
  event text,
  payload jsonb,
  private boolean not null default true,
  inserted_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
grant select, insert on realtime.messages to authenticated;

do $$
declare
  one text;
begin
  foreach one in array array['processes', 'messages'] loop
    execute format('alter table realtime.%I enable row level security', one);
    execute format('alter table realtime.%I force row level security', one);
    execute format('create policy server on realtime.%I to service_role using (true) with check (true)', one);
    execute format('grant all on realtime.%I to service_role', one);
  end loop;
end
$$;

create function realtime.topic() returns text language sql stable set search_path = ''
as $$ select nullif(current_setting('realtime.topic', true), '') $$;

-- What the policies of realtime.messages let the person with these claims do in a topic, found by trying, which leaves nothing behind.
create function realtime.rights(topic text, claims text, out reads text[], out writes text[]) language plpgsql set search_path = '' as $$
declare
  extensions constant text[] := array['broadcast', 'presence'];
  one text;
begin
  perform set_config('realtime.topic', topic, true);
  insert into realtime.messages (topic, extension) select rights.topic, unnest(extensions);
  perform set_config('request.jwt.claims', claims, true), set_config('role', 'authenticated', true);
  reads := array(select m.extension from realtime.messages as m where m.topic = rights.topic);
  writes := '{}';
  foreach one in array extensions loop
    begin
      insert into realtime.messages (topic, extension) values (rights.topic, one);
      writes := writes || one;
    exception when insufficient_privilege then
      null;
    end;
  end loop;
  raise exception using errcode = 'RT000';
exception when sqlstate 'RT000' then
  null;
end
$$;

-- Which of some rows each of some people sees: `person` is the place of their claims, from 1.
create function realtime.visible_rows(target regclass, ids uuid[], claims text[]) returns table (person integer, id uuid)
language plpgsql set search_path = '' as $$
begin
  perform set_config('role', 'authenticated', true);
  for person in 1 .. cardinality(claims) loop
    perform set_config('request.jwt.claims', claims[person], true);
    return query execute format('select $1, t.id from %s as t where t.id = any ($2)', target) using person, ids;
  end loop;
end
$$;

-- Tells of changed rows by their ids, as many at once as a notification holds. A deleted row can not be looked at any more: its owner
-- is told with it, by an SQL expression over the row `r`, and without an owner nobody is told.
create function realtime.tell_change() returns trigger language plpgsql security definer set search_path = '' as $$
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
    case when tg_op = 'DELETE' then tg_argv[0] else 'null::uuid' end
  ) using name, tg_op, clock_timestamp(), ids_at_once;
  return null;
end
$$;

-- Lets people subscribe to a table, which must have a key `id`.
create function realtime.watch(target regclass, owner text) returns void language plpgsql set search_path = '' as $$
declare
  event text;
begin
  foreach event in array array['insert', 'update', 'delete'] loop
    execute format(
      'create trigger tell_%s after %1$s on %s referencing %s table as changed for each statement execute function realtime.tell_change(%L)',
      event, target, case when event = 'delete' then 'old' else 'new' end, owner
    );
  end loop;
end
$$;

revoke all on all functions in schema realtime from public;
grant execute on function realtime.topic() to authenticated, service_role;
grant execute on function realtime.rights(text, text), realtime.visible_rows(regclass, uuid[], text[]) to service_role;
