-- What providers' own meters said, to be compared with the ledger.
create table app.meter_readings (
  id bigint generated always as identity primary key,
  user_id uuid not null references auth.users on delete cascade,
  provider text not null check (provider in ('hunter_io', 'searchbug')),
  -- Of the key that was asked with: another account has another meter.
  fingerprint text not null,
  sandbox boolean not null,
  -- Hunter: millionths of credits used. SearchBug: micro-dollars left.
  value bigint not null,
  -- The billing period that the value belongs to, where there is one.
  period text,
  read_at timestamptz not null default clock_timestamp()
);
create index meter_readings_user_id_idx on app.meter_readings (user_id, provider, fingerprint, id desc);

alter table app.meter_readings enable row level security;
alter table app.meter_readings force row level security;
create policy server on app.meter_readings to service_role using (true) with check (true);
grant select, insert, update, delete on app.meter_readings to service_role;
