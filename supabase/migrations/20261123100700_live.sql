-- How open pages learn of changes.

create function app.tell_list_change() returns trigger language plpgsql set search_path = '' as $$
declare
  list public.lists := case when tg_op = 'DELETE' then old else new end;
begin
  perform pg_notify('list_changed', list.user_id || ' ' || list.id);
  return null;
end
$$;
comment on function app.tell_list_change is
  '''list_changed'' says whose list it is, which one, and which run of it, if it was a run. Ids only.';
create trigger tell_list_change after insert or update or delete on public.lists
  for each row execute function app.tell_list_change();

create function app.tell_run_change() returns trigger language plpgsql set search_path = '' as $$
begin
  perform pg_notify('list_changed', new.user_id || ' ' || new.list_id || ' ' || new.id);
  return null;
end
$$;
create trigger tell_new_run after insert on app.runs
  for each row when (new.list_id is not null) execute function app.tell_run_change();
-- Only when what pages show of a run has changed: renewing a lease names columns that stay as they are, every 2.5 seconds for each run
-- at work.
create trigger tell_run_change after
  update of state, totals, estimate_micros, bound_micros, waiting_reason, waiting_until, error_code, error_message,
    cancel_requested_at on app.runs
  for each row when (new.list_id is not null and (
    old.state, old.totals, old.estimate_micros, old.bound_micros, old.waiting_reason, old.waiting_until, old.error_code,
    old.error_message, old.cancel_requested_at
  ) is distinct from (
    new.state, new.totals, new.estimate_micros, new.bound_micros, new.waiting_reason, new.waiting_until, new.error_code,
    new.error_message, new.cancel_requested_at
  )) execute function app.tell_run_change();
revoke all on function app.tell_list_change, app.tell_run_change from public;

create table app.live_lease (
  singleton boolean primary key default true check (singleton),
  holder uuid not null,
  alive_until timestamptz not null,
  told_at timestamptz not null default now()
);
comment on table app.live_lease is 'Beside hosted Supabase one process tells for all: the holder, for as long as it renews.';
alter table app.live_lease enable row level security;
alter table app.live_lease force row level security;
create policy server on app.live_lease to service_role using (true) with check (true);
grant select, insert, update, delete on app.live_lease to service_role;
comment on column app.live_lease.told_at is 'Everything before it has been told.';

-- Who may subscribe to what. Hosted Supabase tells of the tables in its publication, our own backend of those that it watches.
do $$
declare
  untold text;
begin
  if to_regprocedure('realtime.watch(regclass, text)') is not null then
    perform realtime.watch('public.lists', 'r.user_id');
    -- The leads of a deleted list go with it, and no one is told of each.
    perform realtime.watch('public.leads', '(select l.user_id from public.lists as l where l.id = r.list_id)');
  elsif exists (select from pg_publication where pubname = 'supabase_realtime') then
    for untold in
      select unnest(array['lists', 'leads'])
      except select tablename from pg_publication_tables where pubname = 'supabase_realtime' and schemaname = 'public'
    loop
      execute format('alter publication supabase_realtime add table public.%I', untold);
    end loop;
  end if;

  if to_regclass('realtime.messages') is not null then
    -- A restore makes schema app again, and leaves hosted Supabase's realtime.
    drop policy if exists owner_listens on realtime.messages;
    drop policy if exists owner_speaks on realtime.messages;
    drop policy if exists owner_follows_lists on realtime.messages;
    -- A private channel is one's own: user:<id>, and all that begins with user:<id>:
    create policy owner_listens on realtime.messages for select to authenticated
      using (realtime.topic() ~ ('^user:' || (select auth.uid()) || '(:|$)') and (select app.is_active()));
    create policy owner_speaks on realtime.messages for insert to authenticated
      with check (realtime.topic() ~ ('^user:' || (select auth.uid()) || '(:|$)') and (select app.is_active()));
    -- What happens to one's lists: lists:<id>. Only the server speaks there.
    create policy owner_follows_lists on realtime.messages for select to authenticated
      using (realtime.topic() = 'lists:' || (select auth.uid()) and (select app.is_active()));
  end if;
end
$$;
