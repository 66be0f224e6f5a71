-- Limits on spending, and what a month has cost so far.
-- Written by `npm run db:types` from the migrations. Do not edit.

-- The most that a person's runs may book: in a run, in a calendar month (UTC), and in a month at one provider. Set by that person
-- or by an administrator. Where both have set one, the smaller limit counts.
create table app.budgets (
  user_id uuid not null,
  budget text not null,
  set_by text not null,
  limit_micros bigint not null,
  updated_at timestamptz not null default now(),
  constraint budgets_pkey primary key (user_id, budget, set_by),
  constraint budgets_user_id_fkey foreign key (user_id) references auth.users(id) on delete cascade,
  constraint budgets_budget_check check (budget in ('run', 'month', 'google_places', 'hunter_io', 'searchbug')),
  constraint budgets_limit_micros_check check (limit_micros >= 0),
  constraint budgets_set_by_check check (set_by in ('user', 'admin'))
);
alter table app.budgets enable row level security;
alter table app.budgets force row level security;
create policy server on app.budgets to fairlead_worker, service_role
  using (true)
  with check (true);
grant select on app.budgets to fairlead_worker;
grant select, insert, update, delete on app.budgets to service_role;

-- Which shares of a month's budget were told of, so that each is told once.
create table app.budget_notices (
  user_id uuid not null,
  month date not null,
  budget text not null,
  sandbox boolean not null,
  percent integer not null,
  mailed_at timestamptz,
  dismissed_at timestamptz,
  constraint budget_notices_pkey primary key (user_id, month, budget, sandbox, percent),
  constraint budget_notices_user_id_fkey foreign key (user_id) references auth.users(id) on delete cascade,
  constraint budget_notices_budget_check check (budget in ('month', 'google_places', 'hunter_io', 'searchbug')),
  constraint budget_notices_percent_check check (percent in (50, 80, 100))
);
alter table app.budget_notices enable row level security;
alter table app.budget_notices force row level security;
create policy server on app.budget_notices to fairlead_worker, service_role
  using (true)
  with check (true);
grant select, insert, update on app.budget_notices to fairlead_worker;
grant select, insert, update, delete on app.budget_notices to service_role;

-- An administrator's limit belongs to an address until the month (UTC) is over: someone who deletes their account and comes back
-- finds it again, with what they had spent. Nothing else is kept of them.
create table app.kept_limits (
  address_hash text not null, -- A keyed hash.
  month date not null,
  budget text not null,
  limit_micros bigint not null,
  constraint kept_limits_pkey primary key (address_hash, budget),
  constraint kept_limits_budget_check check (budget in ('run', 'month', 'google_places', 'hunter_io', 'searchbug')),
  constraint kept_limits_limit_micros_check check (limit_micros >= 0)
);
alter table app.kept_limits enable row level security;
alter table app.kept_limits force row level security;
create policy server on app.kept_limits to fairlead_worker, service_role
  using (true)
  with check (true);
grant select (month), delete on app.kept_limits to fairlead_worker;
grant select, insert, update, delete on app.kept_limits to service_role;

create table app.kept_spending (
  address_hash text not null, -- A keyed hash.
  month date not null,
  provider text not null,
  sandbox boolean not null,
  spent_micros bigint not null,
  constraint kept_spending_pkey primary key (address_hash, provider, sandbox),
  constraint kept_spending_provider_check check (provider in ('google_places', 'hunter_io', 'searchbug')),
  constraint kept_spending_spent_micros_check check (spent_micros >= 0)
);
alter table app.kept_spending enable row level security;
alter table app.kept_spending force row level security;
create policy server on app.kept_spending to fairlead_worker, service_role
  using (true)
  with check (true);
grant select (month), delete on app.kept_spending to fairlead_worker;
grant select, insert, update, delete on app.kept_spending to service_role;

-- What someone had spent in a month under the same address, before their account was made.
create table app.earlier_spending (
  user_id uuid not null,
  month date not null,
  provider text not null,
  sandbox boolean not null,
  spent_micros bigint not null,
  constraint earlier_spending_pkey primary key (user_id, month, provider, sandbox),
  constraint earlier_spending_user_id_fkey foreign key (user_id) references auth.users(id) on delete cascade,
  constraint earlier_spending_provider_check check (provider in ('google_places', 'hunter_io', 'searchbug')),
  constraint earlier_spending_spent_micros_check check (spent_micros >= 0)
);
alter table app.earlier_spending enable row level security;
alter table app.earlier_spending force row level security;
create policy server on app.earlier_spending to fairlead_worker, service_role
  using (true)
  with check (true);
grant select, select (month), delete on app.earlier_spending to fairlead_worker;
grant select, insert, update, delete on app.earlier_spending to service_role;

-- What someone's runs have booked in a month, before and after their account was made, and what the open ones may still book:
-- their bounds less what they have booked. One look at all, because money goes from the one to the other while runs work.
-- May be called by: fairlead_worker, service_role.
create function app.money_of_month(user_id uuid, month date)
 returns table(provider text, sandbox boolean, spent_micros bigint, reserved_micros bigint)
 language sql
 stable
 set search_path to ''
as $function$
  select provider, sandbox, sum(spent)::bigint, sum(reserved)::bigint
  from (
    select provider, sandbox, cost_micros as spent, 0 as reserved from app.usage_days as d
    where d.user_id = money_of_month.user_id and day >= month and day < month + interval '1 month'
    union all
    select provider, sandbox, spent_micros, 0 from app.earlier_spending as e
    where e.user_id = money_of_month.user_id and e.month = money_of_month.month
    union all
    select
      case when kind in ('search', 'place', 'survey') then 'google_places' when kind = 'enrichment' then 'hunter_io' else 'searchbug' end,
      sandbox, 0,
      greatest(0, bound_micros - (select coalesce(sum(cost_micros), 0) from app.ledger_days as d where d.run_id = run.id))
    from app.runs as run
    where run.user_id = money_of_month.user_id and state in ('queued', 'running') and cancel_requested_at is null
  ) as parts
  group by provider, sandbox
$function$;
