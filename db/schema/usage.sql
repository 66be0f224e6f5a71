-- What the usage page reads: sums by day and by list, and what providers say is left.
-- Written by `npm run db:types` from the migrations. Do not edit.

-- What the usage page reads, however many runs there were: one row for each user, day (UTC, when a call was sent), provider, and
-- day on which its run began.
create table app.usage_days (
  user_id uuid not null,
  sandbox boolean not null,
  day date not null,
  provider text not null,
  begun date not null,
  calls integer not null default 0,
  failed integer not null default 0,
  uncertain integer not null default 0,
  cost_micros bigint not null default 0,
  uncertain_micros bigint not null default 0,
  recalled integer not null default 0,
  saved_micros bigint not null default 0,
  constraint usage_days_pkey primary key (user_id, sandbox, day, provider, begun),
  constraint usage_days_user_id_fkey foreign key (user_id) references auth.users(id) on delete cascade,
  constraint usage_days_provider_check check (provider in ('google_places', 'hunter_io', 'searchbug'))
);
alter table app.usage_days enable row level security;
alter table app.usage_days force row level security;
create policy server on app.usage_days to fairlead_worker, service_role
  using (true)
  with check (true);
grant select, insert, update on app.usage_days to fairlead_worker;
grant select, insert, update, delete on app.usage_days to service_role;

-- One row for each user, day and list, also a list that is gone.
create table app.usage_lists (
  user_id uuid not null,
  sandbox boolean not null,
  day date not null,
  list_key uuid not null,
  list_name text not null, -- What it was called when its run began.
  calls integer not null default 0,
  failed integer not null default 0,
  uncertain integer not null default 0,
  cost_micros bigint not null default 0,
  uncertain_micros bigint not null default 0,
  recalled integer not null default 0,
  saved_micros bigint not null default 0,
  constraint usage_lists_pkey primary key (user_id, sandbox, day, list_key),
  constraint usage_lists_user_id_fkey foreign key (user_id) references auth.users(id) on delete cascade
);
alter table app.usage_lists enable row level security;
alter table app.usage_lists force row level security;
create policy server on app.usage_lists to fairlead_worker, service_role
  using (true)
  with check (true);
grant select, insert, update on app.usage_lists to fairlead_worker;
grant select, insert, update, delete on app.usage_lists to service_role;
create trigger forget_erased_names before insert or update of list_name on app.usage_lists for each row execute function app.forget_erased_names('list_name');

-- What providers say is left or used, to be compared with the ledger.
create table app.meter_readings (
  id bigint not null generated always as identity,
  user_id uuid not null,
  provider text not null,
  fingerprint text not null, -- Of the key that was asked with: another account has another meter.
  sandbox boolean not null,
  value bigint not null, -- Hunter: millionths of credits used. SearchBug: micro-dollars left.
  period text, -- The billing period that the value belongs to, where there is one.
  read_at timestamptz not null default clock_timestamp(),
  constraint meter_readings_pkey primary key (id),
  constraint meter_readings_user_id_fkey foreign key (user_id) references auth.users(id) on delete cascade,
  constraint meter_readings_provider_check check (provider in ('hunter_io', 'searchbug'))
);
create index meter_readings_user_id_idx on app.meter_readings (user_id, provider, fingerprint, id desc);
alter table app.meter_readings enable row level security;
alter table app.meter_readings force row level security;
create policy server on app.meter_readings to fairlead_worker, service_role
  using (true)
  with check (true);
grant select, insert, delete on app.meter_readings to fairlead_worker;
grant select, insert, update, delete on app.meter_readings to service_role;

-- May be called by: its owner, and triggers.
create function app.name_list_of_run()
 returns trigger
 language plpgsql
 set search_path to ''
as $function$
begin
  new.list_key := new.list_id;
  return new;
end
$function$;
