-- Sums of the ledger, kept by the database itself: a million rows are too many to add up for a page or before a call.

-- What a run may book at the most. Nothing is sent beyond it.
alter table app.runs add column bound_micros bigint not null default 0 check (bound_micros >= 0);
update app.runs set bound_micros = estimate_micros;

-- Answers that a run used again instead of paying for them.
create table app.recalls (
  run_id uuid not null references app.runs on delete cascade,
  operation text not null check (operation in ('locate', 'search_page', 'domain_search', 'phone_scrub')),
  subject text not null,
  user_id uuid not null references auth.users on delete cascade,
  provider text not null check (provider in ('google_places', 'hunter_io', 'searchbug')),
  sandbox boolean not null,
  -- The call that brought the answer, and what that had cost.
  paid_call_id uuid not null references app.paid_calls on delete cascade,
  saved_micros bigint not null check (saved_micros >= 0),
  recalled_at timestamptz not null default now(),
  primary key (run_id, operation, subject)
);
create index recalls_paid_call_id_idx on app.recalls (paid_call_id);
create index recalls_user_id_idx on app.recalls (user_id);

-- One row for each run, day (UTC, when a call was sent) and operation.
create table app.ledger_days (
  run_id uuid not null references app.runs on delete cascade,
  day date not null,
  operation text not null check (operation in ('locate', 'search_page', 'domain_search', 'phone_scrub')),
  user_id uuid not null references auth.users on delete cascade,
  provider text not null check (provider in ('google_places', 'hunter_io', 'searchbug')),
  sandbox boolean not null,
  sent integer not null default 0,
  answered integer not null default 0,
  failed integer not null default 0,
  uncertain integer not null default 0,
  -- Booked; calls that are sent or uncertain count at their estimate.
  cost_micros bigint not null default 0,
  uncertain_micros bigint not null default 0,
  recalled integer not null default 0,
  saved_micros bigint not null default 0,
  primary key (run_id, day, operation)
);
create index ledger_days_user_id_day_idx on app.ledger_days (user_id, day);

create type app.ledger_change as (
  run_id uuid, day date, operation text, user_id uuid, provider text, sandbox boolean, sent integer, answered integer,
  failed integer, uncertain integer, cost_micros bigint, uncertain_micros bigint, recalled integer, saved_micros bigint
);

-- Adds changes of the ledger to its sums. Always in the same order of rows, so that two of these can not block each other.
create function app.add_to_ledger_days(changes app.ledger_change[]) returns void language sql set search_path = '' as $$
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
    saved_micros = d.saved_micros + excluded.saved_micros
$$;

-- What one call counts for, `factor` times; nothing before it was sent.
create function app.ledger_change_of(c app.paid_calls, factor integer) returns app.ledger_change
language sql immutable set search_path = '' as $$
  select row(c.run_id, (coalesce(c.sent_at, c.planned_at) at time zone 'UTC')::date, c.operation, c.user_id, c.provider,
    c.sandbox, factor * (c.state = 'sent')::integer, factor * (c.state = 'answered')::integer,
    factor * (c.state = 'failed')::integer, factor * (c.state = 'uncertain')::integer, factor * c.cost_micros,
    factor * case when c.state = 'uncertain' then c.cost_micros else 0 end, 0, 0)::app.ledger_change
$$;

create function app.sum_new_calls() returns trigger language plpgsql set search_path = '' as $$
begin
  perform app.add_to_ledger_days(array(
    select app.ledger_change_of(c, 1) from new_calls as c where state <> 'planned' and run_id is not null));
  return null;
end
$$;
create trigger sum_new_calls after insert on app.paid_calls referencing new table as new_calls
  for each statement execute function app.sum_new_calls();

create function app.sum_changed_calls() returns trigger language plpgsql set search_path = '' as $$
begin
  perform app.add_to_ledger_days(array(
    select app.ledger_change_of(c, 1) from new_calls as c where state <> 'planned' and run_id is not null
    union all
    select app.ledger_change_of(c, -1) from old_calls as c where state <> 'planned' and run_id is not null));
  return null;
end
$$;
create trigger sum_changed_calls after update on app.paid_calls referencing old table as old_calls new table as new_calls
  for each statement execute function app.sum_changed_calls();

create function app.sum_recalls() returns trigger language plpgsql set search_path = '' as $$
begin
  perform app.add_to_ledger_days(array(
    select row(run_id, (recalled_at at time zone 'UTC')::date, operation, user_id, provider, sandbox,
      0, 0, 0, 0, 0, 0, 1, saved_micros)::app.ledger_change
    from new_recalls));
  return null;
end
$$;
create trigger sum_recalls after insert on app.recalls referencing new table as new_recalls
  for each statement execute function app.sum_recalls();

insert into app.ledger_days (run_id, day, operation, user_id, provider, sandbox, sent, answered, failed, uncertain, cost_micros, uncertain_micros)
select run_id, (coalesce(sent_at, planned_at) at time zone 'UTC')::date, operation, user_id, provider, sandbox,
  count(*) filter (where state = 'sent'), count(*) filter (where state = 'answered'),
  count(*) filter (where state = 'failed'), count(*) filter (where state = 'uncertain'),
  sum(cost_micros), coalesce(sum(cost_micros) filter (where state = 'uncertain'), 0)
from app.paid_calls where state <> 'planned' and run_id is not null
group by 1, 2, 3, 4, 5, 6;

-- Books planned calls as sent, right before they are: while `owner` holds the run and nobody has cancelled it, and as many of them,
-- in the order given, as the run's bound still has room for. Answers those. The lock on the run makes the sum exact.
create function app.book_sent(run_id uuid, owner uuid, call_ids uuid[], batch_id uuid)
returns table (id uuid, subject text) language plpgsql set search_path = '' as $$
#variable_conflict use_column
declare
  bound bigint;
  booked bigint;
begin
  select run.bound_micros into bound from app.runs as run
  where run.id = book_sent.run_id and run.state = 'running' and run.lease_owner = book_sent.owner
    and run.lease_expires_at > now() and run.cancel_requested_at is null
  for no key update;
  if not found then
    return;
  end if;
  select coalesce(sum(d.cost_micros), 0) into booked from app.ledger_days as d where d.run_id = book_sent.run_id;
  return query
    update app.paid_calls as c
    set state = 'sent', sent_at = now(), attempts = c.attempts + 1, cost_micros = c.estimate_micros,
      batch_id = book_sent.batch_id
    from (
      select p.id, sum(p.estimate_micros) over (order by array_position(call_ids, p.id)) as up_to_here
      from app.paid_calls as p where p.id = any (call_ids) and p.state = 'planned'
    ) as wanted
    where c.id = wanted.id and c.state = 'planned' and booked + wanted.up_to_here <= bound
    returning c.id, c.subject;
end
$$;

do $$
declare
  one text;
begin
  foreach one in array array['recalls', 'ledger_days'] loop
    execute format('alter table app.%I enable row level security', one);
    execute format('alter table app.%I force row level security', one);
    execute format('create policy server on app.%I to service_role using (true) with check (true)', one);
    execute format('grant select, insert, update, delete on app.%I to service_role', one);
  end loop;
end
$$;
revoke all on all functions in schema app from public;
grant execute on all functions in schema app to service_role;
