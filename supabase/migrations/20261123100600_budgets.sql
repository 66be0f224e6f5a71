-- Limits on spending, and what a month has cost so far.

create table app.budgets (
  user_id uuid not null references auth.users on delete cascade,
  budget text not null check (budget in ('run', 'month', 'google_places', 'hunter_io', 'searchbug')),
  set_by text not null check (set_by in ('user', 'admin')),
  limit_micros bigint not null check (limit_micros >= 0),
  updated_at timestamptz not null default now(),
  primary key (user_id, budget, set_by)
);
comment on table app.budgets is
  'The most that a person''s runs may book: in a run, in a calendar month (UTC), and in a month at one provider. Set by that '
  'person or by an administrator. Where both have set one, the smaller limit counts.';

create table app.budget_notices (
  user_id uuid not null references auth.users on delete cascade,
  month date not null,
  budget text not null check (budget in ('month', 'google_places', 'hunter_io', 'searchbug')),
  sandbox boolean not null,
  percent integer not null check (percent in (50, 80, 100)),
  mailed_at timestamptz,
  dismissed_at timestamptz,
  primary key (user_id, month, budget, sandbox, percent)
);
comment on table app.budget_notices is 'Which shares of a month''s budget were told of, so that each is told once.';

create table app.kept_limits (
  address_hash text not null,
  month date not null,
  budget text not null check (budget in ('run', 'month', 'google_places', 'hunter_io', 'searchbug')),
  limit_micros bigint not null check (limit_micros >= 0),
  primary key (address_hash, budget)
);
comment on table app.kept_limits is
  'An administrator''s limit belongs to an address until the month (UTC) is over: someone who deletes their account and comes '
  'back finds it again, with what they had spent. Nothing else is kept of them.';
comment on column app.kept_limits.address_hash is 'A keyed hash.';

create table app.kept_spending (
  address_hash text not null,
  month date not null,
  provider text not null check (provider in ('google_places', 'hunter_io', 'searchbug')),
  sandbox boolean not null,
  spent_micros bigint not null check (spent_micros >= 0),
  primary key (address_hash, provider, sandbox)
);
comment on column app.kept_spending.address_hash is 'A keyed hash.';

create table app.earlier_spending (
  user_id uuid not null references auth.users on delete cascade,
  month date not null,
  provider text not null check (provider in ('google_places', 'hunter_io', 'searchbug')),
  sandbox boolean not null,
  spent_micros bigint not null check (spent_micros >= 0),
  primary key (user_id, month, provider, sandbox)
);
comment on table app.earlier_spending is 'What someone had spent in a month under the same address, before their account was made.';

create function app.money_of_month(user_id uuid, month date)
returns table (provider text, sandbox boolean, spent_micros bigint, reserved_micros bigint)
language sql stable set search_path = '' as $$
  select provider, sandbox, sum(spent)::bigint, sum(reserved)::bigint
  from (
    select provider, sandbox, cost_micros as spent, 0 as reserved from app.usage_days as d
    where d.user_id = money_of_month.user_id and day >= month and day < month + interval '1 month'
    union all
    select provider, sandbox, spent_micros, 0 from app.earlier_spending as e
    where e.user_id = money_of_month.user_id and e.month = money_of_month.month
    union all
    select case when kind in ('search', 'place') then 'google_places' when kind = 'enrichment' then 'hunter_io' else 'searchbug' end,
      sandbox, 0,
      greatest(0, bound_micros - (select coalesce(sum(cost_micros), 0) from app.ledger_days as d where d.run_id = run.id))
    from app.runs as run
    where run.user_id = money_of_month.user_id and state in ('queued', 'running')
  ) as parts
  group by provider, sandbox
$$;
comment on function app.money_of_month is
  'What someone''s runs have booked in a month, before and after their account was made, and what the open ones may still book: '
  'their bounds less what they have booked. One look at all, because money goes from the one to the other while runs work.';

create table app.meter_readings (
  id bigint generated always as identity primary key,
  user_id uuid not null references auth.users on delete cascade,
  provider text not null check (provider in ('hunter_io', 'searchbug')),
  fingerprint text not null,
  sandbox boolean not null,
  value bigint not null,
  period text,
  read_at timestamptz not null default clock_timestamp()
);
comment on table app.meter_readings is 'What providers say is left or used, to be compared with the ledger.';
create index meter_readings_user_id_idx on app.meter_readings (user_id, provider, fingerprint, id desc);
comment on column app.meter_readings.fingerprint is 'Of the key that was asked with: another account has another meter.';
comment on column app.meter_readings.value is 'Hunter: millionths of credits used. SearchBug: micro-dollars left.';
comment on column app.meter_readings.period is 'The billing period that the value belongs to, where there is one.';

do $$
declare
  one text;
begin
  foreach one in array array['budgets', 'budget_notices', 'kept_limits', 'kept_spending', 'earlier_spending', 'meter_readings'] loop
    execute format('alter table app.%I enable row level security', one);
    execute format('alter table app.%I force row level security', one);
    execute format('create policy server on app.%I to service_role, fairlead_worker using (true) with check (true)', one);
    execute format('grant select, insert, update, delete on app.%I to service_role', one);
  end loop;
end
$$;
-- What a worker needs to mail of budgets.
grant select on app.budgets, app.earlier_spending to fairlead_worker;
grant select, insert, update on app.budget_notices to fairlead_worker;
-- The daily sweep sees which month a row is of, and nothing else of it.
grant select (month), delete on app.kept_limits, app.kept_spending, app.earlier_spending to fairlead_worker;
-- After a run its worker keeps what the provider's meter says.
grant select, insert, delete on app.meter_readings to fairlead_worker;

revoke all on function app.money_of_month from public;
grant execute on function app.money_of_month to service_role;
