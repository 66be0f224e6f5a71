-- Everybody listens on a channel of their own to what happens to their lists: lists:<id>. Nobody but the server speaks there.

do $$
begin
  if to_regclass('realtime.messages') is not null then
    drop policy if exists owner_follows_lists on realtime.messages;
    create policy owner_follows_lists on realtime.messages for select to authenticated
      using (realtime.topic() = 'lists:' || (select auth.uid()) and (select app.is_active()));
  end if;
end
$$;

-- Beside hosted Supabase one process tells for all: holder, for as long as it renews. Everything before told_at has been told.
create table app.live_lease (
  singleton boolean primary key default true check (singleton),
  holder uuid not null,
  alive_until timestamptz not null,
  told_at timestamptz not null default now()
);
alter table app.live_lease enable row level security;
alter table app.live_lease force row level security;
create policy server on app.live_lease to service_role using (true) with check (true);
grant select, insert, update, delete on app.live_lease to service_role;
