-- What the usage page reads, however many runs there were: sums of the ledger's sums, kept in the same transaction.

-- What a list is called by after it is gone, so that its runs still stand together.
alter table app.runs add column list_key uuid not null default gen_random_uuid();
update app.runs set list_key = coalesce(list_id, md5(user_id || ' ' || list_name)::uuid);

create function app.name_list_of_run() returns trigger language plpgsql set search_path = '' as $$
begin
  new.list_key := new.list_id;
  return new;
end
$$;
create trigger name_list_of_run before insert on app.runs
  for each row when (new.list_id is not null) execute function app.name_list_of_run();

-- What a run has asked about and found: places and businesses kept, leads with a website and e-mails, numbers and safe ones. Of an
-- enrichment that ended early only the leads that its websites done stand for were asked.
alter table app.runs
  add column asked integer generated always as (
    case kind when 'search' then (totals ->> 'found')::integer when 'compliance' then (totals ->> 'numbersDone')::integer
      else round(((totals ->> 'leads')::numeric - coalesce((totals ->> 'withoutWebsite')::numeric, 0)
        - coalesce((totals ->> 'onSharedHost')::numeric, 0)) * (totals ->> 'domainsDone')::numeric
        / nullif((totals ->> 'domains')::numeric, 0))::integer end
  ) stored,
  add column found integer generated always as (
    case kind when 'search' then (totals ->> 'kept')::integer when 'compliance' then (totals ->> 'safe')::integer
      else (totals ->> 'emailsAdded')::integer end
  ) stored;

-- One row for each user, day (UTC, when a call was sent), provider, and day on which its run began.
create table app.usage_days (
  user_id uuid not null references auth.users on delete cascade,
  sandbox boolean not null,
  day date not null,
  provider text not null check (provider in ('google_places', 'hunter_io', 'searchbug')),
  begun date not null,
  calls integer not null default 0,
  failed integer not null default 0,
  uncertain integer not null default 0,
  cost_micros bigint not null default 0,
  uncertain_micros bigint not null default 0,
  recalled integer not null default 0,
  saved_micros bigint not null default 0,
  primary key (user_id, sandbox, day, provider, begun)
);

-- One row for each user, day and list, also one that is gone.
create table app.usage_lists (
  user_id uuid not null references auth.users on delete cascade,
  sandbox boolean not null,
  day date not null,
  list_key uuid not null,
  -- What it was called when its run began.
  list_name text not null,
  calls integer not null default 0,
  failed integer not null default 0,
  uncertain integer not null default 0,
  cost_micros bigint not null default 0,
  uncertain_micros bigint not null default 0,
  recalled integer not null default 0,
  saved_micros bigint not null default 0,
  primary key (user_id, sandbox, day, list_key)
);

insert into app.usage_days
select d.user_id, d.sandbox, d.day, d.provider, (run.created_at at time zone 'UTC')::date,
  sum(d.sent + d.answered + d.failed + d.uncertain), sum(d.failed), sum(d.uncertain), sum(d.cost_micros),
  sum(d.uncertain_micros), sum(d.recalled), sum(d.saved_micros)
from app.ledger_days as d join app.runs as run on run.id = d.run_id
group by 1, 2, 3, 4, 5;

insert into app.usage_lists
select d.user_id, d.sandbox, d.day, run.list_key, max(run.list_name),
  sum(d.sent + d.answered + d.failed + d.uncertain), sum(d.failed), sum(d.uncertain), sum(d.cost_micros),
  sum(d.uncertain_micros), sum(d.recalled), sum(d.saved_micros)
from app.ledger_days as d join app.runs as run on run.id = d.run_id
group by 1, 2, 3, 4;

-- Adds changes of the ledger to its sums. Always in the same order of tables and rows, so that two of these can not block each other.
-- A call that is answered for what was booked changes none of the sums that all runs of a user share.
create or replace function app.add_to_ledger_days(changes app.ledger_change[]) returns void
language plpgsql set search_path = '' as $$
begin
  insert into app.ledger_days as d
  select run_id, day, operation, user_id, provider, sandbox, sum(sent), sum(answered), sum(failed), sum(uncertain),
    sum(cost_micros), sum(uncertain_micros), sum(recalled), sum(saved_micros)
  from unnest(changes)
  group by run_id, day, operation, user_id, provider, sandbox
  having (sum(sent), sum(answered), sum(failed), sum(uncertain), sum(cost_micros), sum(uncertain_micros), sum(recalled))
    is distinct from (0::bigint, 0::bigint, 0::bigint, 0::bigint, 0::numeric, 0::numeric, 0::bigint)
  order by run_id, day, operation
  on conflict (run_id, day, operation) do update set
    sent = d.sent + excluded.sent, answered = d.answered + excluded.answered, failed = d.failed + excluded.failed,
    uncertain = d.uncertain + excluded.uncertain, cost_micros = d.cost_micros + excluded.cost_micros,
    uncertain_micros = d.uncertain_micros + excluded.uncertain_micros, recalled = d.recalled + excluded.recalled,
    saved_micros = d.saved_micros + excluded.saved_micros;

  insert into app.usage_days as d
  select c.user_id, c.sandbox, c.day, c.provider, (run.created_at at time zone 'UTC')::date,
    sum(c.sent + c.answered + c.failed + c.uncertain), sum(c.failed), sum(c.uncertain), sum(c.cost_micros),
    sum(c.uncertain_micros), sum(c.recalled), sum(c.saved_micros)
  from unnest(changes) as c join app.runs as run on run.id = c.run_id
  group by 1, 2, 3, 4, 5
  having (sum(c.sent + c.answered + c.failed + c.uncertain), sum(c.failed), sum(c.uncertain), sum(c.cost_micros),
    sum(c.uncertain_micros), sum(c.recalled)) is distinct from (0::bigint, 0::bigint, 0::bigint, 0::numeric, 0::numeric, 0::bigint)
  order by 1, 2, 3, 4, 5
  on conflict (user_id, sandbox, day, provider, begun) do update set
    calls = d.calls + excluded.calls, failed = d.failed + excluded.failed, uncertain = d.uncertain + excluded.uncertain,
    cost_micros = d.cost_micros + excluded.cost_micros, uncertain_micros = d.uncertain_micros + excluded.uncertain_micros,
    recalled = d.recalled + excluded.recalled, saved_micros = d.saved_micros + excluded.saved_micros;

  insert into app.usage_lists as d
  select c.user_id, c.sandbox, c.day, run.list_key, max(run.list_name),
    sum(c.sent + c.answered + c.failed + c.uncertain), sum(c.failed), sum(c.uncertain), sum(c.cost_micros),
    sum(c.uncertain_micros), sum(c.recalled), sum(c.saved_micros)
  from unnest(changes) as c join app.runs as run on run.id = c.run_id
  group by 1, 2, 3, 4
  having (sum(c.sent + c.answered + c.failed + c.uncertain), sum(c.failed), sum(c.uncertain), sum(c.cost_micros),
    sum(c.uncertain_micros), sum(c.recalled)) is distinct from (0::bigint, 0::bigint, 0::bigint, 0::numeric, 0::numeric, 0::bigint)
  order by 1, 2, 3, 4
  on conflict (user_id, sandbox, day, list_key) do update set
    calls = d.calls + excluded.calls, failed = d.failed + excluded.failed, uncertain = d.uncertain + excluded.uncertain,
    cost_micros = d.cost_micros + excluded.cost_micros, uncertain_micros = d.uncertain_micros + excluded.uncertain_micros,
    recalled = d.recalled + excluded.recalled, saved_micros = d.saved_micros + excluded.saved_micros;
end
$$;

-- As before, with what was spent read from the new sums.
create or replace function app.money_of_month(user_id uuid, month date)
returns table (provider text, sandbox boolean, spent_micros bigint, reserved_micros bigint)
language sql stable set search_path = '' as $$
  select provider, sandbox, sum(spent)::bigint, sum(reserved)::bigint
  from (
    select provider, sandbox, cost_micros as spent, 0 as reserved from app.usage_days as d
    where d.user_id = money_of_month.user_id and day >= month and day < month + interval '1 month'
    union all
    select case kind when 'search' then 'google_places' when 'enrichment' then 'hunter_io' else 'searchbug' end, sandbox, 0,
      greatest(0, bound_micros - (select coalesce(sum(cost_micros), 0) from app.ledger_days as d where d.run_id = run.id))
    from app.runs as run
    where run.user_id = money_of_month.user_id and state in ('queued', 'running')
  ) as parts
  group by provider, sandbox
$$;

-- Only the page that reads the new sums used it.
drop index app.ledger_days_user_id_sandbox_day_idx;

do $$
declare
  one text;
begin
  foreach one in array array['usage_days', 'usage_lists'] loop
    execute format('alter table app.%I enable row level security', one);
    execute format('alter table app.%I force row level security', one);
    execute format('create policy server on app.%I to service_role, fairlead_worker using (true) with check (true)', one);
    execute format('grant select, insert, update, delete on app.%I to service_role', one);
    execute format('grant select, insert, update on app.%I to fairlead_worker', one);
  end loop;
end
$$;
revoke all on function app.name_list_of_run from public;
