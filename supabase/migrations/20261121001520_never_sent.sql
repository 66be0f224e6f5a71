-- A call that a run planned and never sent, because it was cancelled or had reached its bound, is none that has failed.
create or replace function app.ledger_change_of(c app.paid_calls, factor integer) returns app.ledger_change
language sql immutable set search_path = '' as $$
  select row(c.run_id, (coalesce(c.sent_at, c.planned_at) at time zone 'UTC')::date, c.operation, c.user_id, c.provider,
    c.sandbox, factor * (c.state = 'sent')::integer, factor * (c.state = 'answered')::integer,
    factor * (c.state = 'failed' and c.sent_at is not null)::integer, factor * (c.state = 'uncertain')::integer,
    factor * c.cost_micros, factor * case when c.state = 'uncertain' then c.cost_micros else 0 end, 0, 0)::app.ledger_change
$$;

update app.ledger_days as d set failed = d.failed - never.calls
from (
  select run_id, (planned_at at time zone 'UTC')::date as day, operation, count(*) as calls
  from app.paid_calls where state = 'failed' and sent_at is null and run_id is not null group by 1, 2, 3
) as never
where d.run_id = never.run_id and d.day = never.day and d.operation = never.operation;
