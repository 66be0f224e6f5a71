-- Calls of one statement are added up before they change the ledger's sums: one change for each run, and not two for each call.

create or replace function app.sum_new_calls() returns trigger language plpgsql set search_path = '' as $$
declare
  changes constant app.ledger_change[] := array(
    select row(run_id, day, operation, user_id, provider, sandbox, sum((state = 'sent')::integer), sum((state = 'answered')::integer),
      sum((state = 'failed' and was_sent)::integer), sum((state = 'uncertain')::integer), sum(cost_micros),
      sum(case when state = 'uncertain' then cost_micros else 0 end), 0, 0)::app.ledger_change
    from (
      select *, (coalesce(sent_at, planned_at) at time zone 'UTC')::date as day, sent_at is not null as was_sent from new_calls
      where (state <> 'planned' or cost_micros > 0) and run_id is not null
    ) as call
    group by run_id, day, operation, user_id, provider, sandbox);
begin
  if cardinality(changes) > 0 then
    perform app.add_to_ledger_days(changes);
  end if;
  return null;
end
$$;
comment on function app.sum_new_calls is 'What calls count for. One that was planned and never sent has not failed.';

create or replace function app.sum_changed_calls() returns trigger language plpgsql set search_path = '' as $$
declare
  changes constant app.ledger_change[] := array(
    select row(run_id, day, operation, user_id, provider, sandbox, sum(factor * (state = 'sent')::integer),
      sum(factor * (state = 'answered')::integer), sum(factor * (state = 'failed' and was_sent)::integer),
      sum(factor * (state = 'uncertain')::integer), sum(factor * cost_micros),
      sum(factor * case when state = 'uncertain' then cost_micros else 0 end), 0, 0)::app.ledger_change
    from (
      select *, (coalesce(sent_at, planned_at) at time zone 'UTC')::date as day, sent_at is not null as was_sent
      from (select 1 as factor, * from new_calls union all select -1, * from old_calls) as either
      where (state <> 'planned' or cost_micros > 0) and run_id is not null
    ) as call
    group by run_id, day, operation, user_id, provider, sandbox);
begin
  if cardinality(changes) > 0 then
    perform app.add_to_ledger_days(changes);
  end if;
  return null;
end
$$;
comment on function app.sum_changed_calls is 'The difference that a change of calls makes, counted as app.sum_new_calls does.';
