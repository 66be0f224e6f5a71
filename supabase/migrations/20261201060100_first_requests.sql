-- An entry that is removed and added again is the same request: the ten business days still count from the first time.

create table app.removed_suppressions (
  hash bytea primary key,
  asked_at timestamptz not null,
  removed_at timestamptz not null default now()
);
comment on table app.removed_suppressions is
  'Entries that administrators removed, as keyed hashes, for five years. Added again, they count from the first time.';
comment on column app.removed_suppressions.asked_at is 'When they asked to be left alone, else when they were entered.';
create index removed_suppressions_removed_at_idx on app.removed_suppressions (removed_at);
alter table app.removed_suppressions enable row level security;
alter table app.removed_suppressions force row level security;
create policy server on app.removed_suppressions to fairlead_worker, service_role using (true) with check (true);
grant select, insert, update, delete on app.removed_suppressions to service_role;
grant select, delete on app.removed_suppressions to fairlead_worker;
