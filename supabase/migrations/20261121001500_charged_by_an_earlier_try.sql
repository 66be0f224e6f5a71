-- A call that is sent again, because a lost answer of it costs nothing twice, may have been charged all the same. Until it is answered
-- it stays booked, also while it waits to be sent again and when its run ends before that.
alter table app.paid_calls add column maybe_charged boolean not null default false;

create or replace function app.sum_new_calls() returns trigger language plpgsql set search_path = '' as $$
begin
  perform app.add_to_ledger_days(array(
    select app.ledger_change_of(c, 1) from new_calls as c where (state <> 'planned' or cost_micros > 0) and run_id is not null));
  return null;
end
$$;

create or replace function app.sum_changed_calls() returns trigger language plpgsql set search_path = '' as $$
begin
  perform app.add_to_ledger_days(array(
    select app.ledger_change_of(c, 1) from new_calls as c where (state <> 'planned' or cost_micros > 0) and run_id is not null
    union all
    select app.ledger_change_of(c, -1) from old_calls as c where (state <> 'planned' or cost_micros > 0) and run_id is not null));
  return null;
end
$$;

-- Books planned calls as sent, right before they are: while `owner` holds the run and nobody has cancelled it, and as many of them,
-- in the order given, as the run's bound still has room for; one that is booked already needs none. Answers those. The lock on the run
-- makes the sum exact.
create or replace function app.book_sent(run_id uuid, owner uuid, call_ids uuid[], batch_id uuid)
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
      select p.id, p.cost_micros, sum(p.estimate_micros - p.cost_micros) over (order by array_position(call_ids, p.id)) as up_to_here
      from app.paid_calls as p where p.id = any (call_ids) and p.state = 'planned'
    ) as wanted
    where c.id = wanted.id and c.state = 'planned' and (booked + wanted.up_to_here <= bound or wanted.cost_micros > 0)
    returning c.id, c.subject;
end
$$;
