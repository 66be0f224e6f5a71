-- What a person's runs may book at the most: in a run, in a calendar month (UTC), and in a month at one provider. Set by that person
-- or by an administrator; where both have, the smaller limit counts.
create table app.budgets (
  user_id uuid not null references auth.users on delete cascade,
  budget text not null check (budget in ('run', 'month', 'google_places', 'hunter_io', 'searchbug')),
  set_by text not null check (set_by in ('user', 'admin')),
  limit_micros bigint not null check (limit_micros >= 0),
  updated_at timestamptz not null default now(),
  primary key (user_id, budget, set_by)
);

-- Which shares of a month's budget were told of, so that each is told once.
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

create index runs_open_user_id_idx on app.runs (user_id) where state in ('queued', 'running');

-- What somebody's runs have booked in a month, and what the open ones may still book: their bounds less what they have booked.
-- One look at both, because money goes from the one to the other while runs work.
create function app.money_of_month(user_id uuid, month date)
returns table (provider text, sandbox boolean, spent_micros bigint, reserved_micros bigint)
language sql stable set search_path = '' as $$
  select provider, sandbox, sum(spent)::bigint, sum(reserved)::bigint
  from (
    select provider, sandbox, cost_micros as spent, 0 as reserved from app.ledger_days as d
    where d.user_id = money_of_month.user_id and day >= month and day < month + interval '1 month'
    union all
    select case kind when 'search' then 'google_places' when 'enrichment' then 'hunter_io' else 'searchbug' end, sandbox, 0,
      greatest(0, bound_micros - (select coalesce(sum(cost_micros), 0) from app.ledger_days as d where d.run_id = run.id))
    from app.runs as run
    where run.user_id = money_of_month.user_id and state in ('queued', 'running')
  ) as parts
  group by provider, sandbox
$$;

do $$
declare
  one text;
begin
  foreach one in array array['budgets', 'budget_notices'] loop
    execute format('alter table app.%I enable row level security', one);
    execute format('alter table app.%I force row level security', one);
    execute format('create policy server on app.%I to service_role using (true) with check (true)', one);
    execute format('grant select, insert, update, delete on app.%I to service_role', one);
  end loop;
end
$$;
revoke all on all functions in schema app from public;
grant execute on all functions in schema app to service_role;
