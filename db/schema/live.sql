-- How open pages learn of changes. The schema realtime is there only with our own backend.
-- Written by `npm run db:types` from the migrations. Do not edit.

-- Changes are told only while a living process has subscribers to the table.
create unlogged table realtime.processes (
  id uuid not null,
  tables text[] not null, -- With their schema: public.lists.
  alive_until timestamptz not null,
  constraint processes_pkey primary key (id)
);
alter table realtime.processes enable row level security;
alter table realtime.processes force row level security;
create policy server on realtime.processes to service_role
  using (true)
  with check (true);
grant select, insert, update, delete on realtime.processes to service_role;

-- Nothing stays in here. Its policies say who may listen to a private channel (select) and who may speak in it (insert).
create unlogged table realtime.messages (
  id uuid not null default gen_random_uuid(),
  topic text not null,
  extension text not null,
  event text,
  payload jsonb,
  private boolean not null default true,
  inserted_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint messages_pkey primary key (id),
  constraint messages_extension_check check (extension in ('broadcast', 'presence'))
);
alter table realtime.messages enable row level security;
alter table realtime.messages force row level security;
create policy owner_follows_lists on realtime.messages for select to authenticated
  using (realtime.topic() = ('lists:' || (select auth.uid())) and (select app.is_active()));
create policy owner_listens on realtime.messages for select to authenticated
  using (realtime.topic() ~ (('^user:' || (select auth.uid())) || '(:|$)') and (select app.is_active()));
create policy owner_speaks on realtime.messages for insert to authenticated
  with check (realtime.topic() ~ (('^user:' || (select auth.uid())) || '(:|$)') and (select app.is_active()));
create policy server on realtime.messages to service_role
  using (true)
  with check (true);
grant select, insert on realtime.messages to authenticated;
grant select, insert, update, delete on realtime.messages to service_role;

-- Beside hosted Supabase one process tells for all: the holder, for as long as it renews.
create table app.live_lease (
  singleton boolean not null default true,
  holder uuid not null,
  alive_until timestamptz not null,
  told_at timestamptz not null default now(), -- Everything before it has been told.
  constraint live_lease_pkey primary key (singleton),
  constraint live_lease_singleton_check check (singleton)
);
alter table app.live_lease enable row level security;
alter table app.live_lease force row level security;
create policy server on app.live_lease to service_role
  using (true)
  with check (true);
grant select, insert, update, delete on app.live_lease to service_role;

-- May be called by: authenticated, service_role.
create function realtime.topic()
 returns text
 language sql
 stable
 set search_path to ''
as $function$ select nullif(current_setting('realtime.topic', true), '') $function$;

-- What the policies of realtime.messages let the person with these claims do in a topic. Found by trying, which leaves nothing
-- behind.
-- May be called by: service_role.
create function realtime.rights(topic text, claims text, out reads text[], out writes text[])
 returns record
 language plpgsql
 set search_path to ''
as $function$
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
$function$;

-- Tells of changed rows by their ids, as many at once as a notification holds, each with its owner as it is after the change: an
-- SQL expression over the row `r`. A deleted row cannot be looked at any more, so without an owner no one is told of it.
-- May be called by: its owner, and triggers.
create function realtime.tell_change()
 returns trigger
 language plpgsql
 security definer
 set search_path to ''
as $function$
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
$function$;

-- Makes the function that returns which rows of a table people see, under row-level security. Question n: which of ids[firsts[n]]
-- to ids[lasts[n]] are visible with claims[n]. Rows are found by their ids, however small the table was when that was planned.
-- May be called by: its owner, and triggers.
create function realtime.answer_for(target regclass)
 returns void
 language plpgsql
 set search_path to ''
as $function$
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
$function$;

-- Lets people subscribe to a table, which must have a key `id`. Only the owner is told of a row, even if others may read it. With
-- null for the owner, everyone is asked whether they see it, and no one is told of what is deleted.
-- May be called by: its owner, and triggers.
create function realtime.watch(target regclass, owner text)
 returns void
 language plpgsql
 set search_path to ''
as $function$
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
$function$;

-- May be called by: service_role.
create function realtime."visible in public.lists"(ids uuid[], claims text[], firsts integer[], lasts integer[])
 returns table(question integer, id uuid)
 language plpgsql
 set search_path to ''
 set plan_cache_mode to 'force_generic_plan'
 set enable_seqscan to 'off'
 set jit to 'off'
as $function$
      declare
        asked uuid[];
      begin
        perform set_config('role', 'authenticated', true);
        for question in 1 .. cardinality(claims) loop
          asked := ids[firsts[question]:lasts[question]];
          perform set_config('request.jwt.claims', claims[question], true);
          return query select question, t.id from public.lists as t where t.id = any (asked);
        end loop;
      end
      $function$;

-- May be called by: service_role.
create function realtime."visible in public.leads"(ids uuid[], claims text[], firsts integer[], lasts integer[])
 returns table(question integer, id uuid)
 language plpgsql
 set search_path to ''
 set plan_cache_mode to 'force_generic_plan'
 set enable_seqscan to 'off'
 set jit to 'off'
as $function$
      declare
        asked uuid[];
      begin
        perform set_config('role', 'authenticated', true);
        for question in 1 .. cardinality(claims) loop
          asked := ids[firsts[question]:lasts[question]];
          perform set_config('request.jwt.claims', claims[question], true);
          return query select question, t.id from public.leads as t where t.id = any (asked);
        end loop;
      end
      $function$;

-- 'list_changed' says whose list it is, which one, and which run of it, if it was a run. Ids only.
-- May be called by: its owner, and triggers.
create function app.tell_list_change()
 returns trigger
 language plpgsql
 set search_path to ''
as $function$
declare
  list public.lists := case when tg_op = 'DELETE' then old else new end;
begin
  perform pg_notify('list_changed', list.user_id || ' ' || list.id);
  return null;
end
$function$;

-- May be called by: its owner, and triggers.
create function app.tell_run_change()
 returns trigger
 language plpgsql
 set search_path to ''
as $function$
begin
  perform pg_notify('list_changed', new.user_id || ' ' || new.list_id || ' ' || new.id);
  return null;
end
$function$;
