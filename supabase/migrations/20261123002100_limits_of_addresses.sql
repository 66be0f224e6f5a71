-- An administrator's limit belongs to an address for as long as the month lasts: someone who deletes their account and comes back finds
-- it again, with what they had spent. Nothing else is kept of them, and this only until the month (UTC) is over.

create table app.kept_limits (
  -- A keyed hash of the address.
  address_hash text not null,
  month date not null,
  budget text not null check (budget in ('run', 'month', 'google_places', 'hunter_io', 'searchbug')),
  limit_micros bigint not null check (limit_micros >= 0),
  primary key (address_hash, budget)
);

create table app.kept_spending (
  address_hash text not null,
  month date not null,
  provider text not null check (provider in ('google_places', 'hunter_io', 'searchbug')),
  sandbox boolean not null,
  spent_micros bigint not null check (spent_micros >= 0),
  primary key (address_hash, provider, sandbox)
);

-- What someone had spent in a month under the same address, before their account was made.
create table app.earlier_spending (
  user_id uuid not null references auth.users on delete cascade,
  month date not null,
  provider text not null check (provider in ('google_places', 'hunter_io', 'searchbug')),
  sandbox boolean not null,
  spent_micros bigint not null check (spent_micros >= 0),
  primary key (user_id, month, provider, sandbox)
);

-- As before, with what was spent before the account was made.
create or replace function app.money_of_month(user_id uuid, month date)
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

do $$
declare
  one text;
begin
  foreach one in array array['kept_limits', 'kept_spending', 'earlier_spending'] loop
    execute format('alter table app.%I enable row level security', one);
    execute format('alter table app.%I force row level security', one);
    execute format('create policy server on app.%I to service_role, fairlead_worker using (true) with check (true)', one);
    execute format('grant select, insert, update, delete on app.%I to service_role', one);
    -- The daily sweep sees which month a row is of, and nothing else of it.
    execute format('grant select (month), delete on app.%I to fairlead_worker', one);
  end loop;
end
$$;
-- What a worker needs to mail of budgets.
grant select on app.earlier_spending to fairlead_worker;
