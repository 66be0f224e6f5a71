-- What hosted Supabase has asked the gate by webhook. Kept for as long as a delivery could come again.
create table app.hook_deliveries (
  webhook_id text primary key,
  body_hash bytea not null,
  received_at timestamptz not null default now(),
  decided_at timestamptz,
  -- Why not; null where it was allowed.
  denial text
);
create index hook_deliveries_received_at_idx on app.hook_deliveries (received_at);
alter table app.hook_deliveries enable row level security;
alter table app.hook_deliveries force row level security;
create policy server on app.hook_deliveries to service_role using (true) with check (true);
grant select, insert, update, delete on app.hook_deliveries to service_role;
