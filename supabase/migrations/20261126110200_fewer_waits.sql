-- Steps of runs and their paid calls that a provider's next call waits for, each as one function. What the version before calls stays:
-- during a rolling restart it works beside this one.

create function app.take_free_slot(
  bucket text, limit_calls integer[], limit_window_ms integer[], at_most integer, holder uuid, lasts_ms integer
) returns boolean language plpgsql set search_path = '' as $$
declare
  granted timestamptz[];
  looks_back integer := (select max(calls) from unnest(limit_calls) as calls);
begin
  -- Never waited for: who comes from a settlement holds sums that the one with this lock may wait for.
  select recent into granted from app.call_spacing as s where s.bucket = take_free_slot.bucket for update skip locked;
  if not found then
    return false;
  end if;
  for i in 1 .. cardinality(limit_calls) loop
    if cardinality(granted) >= limit_calls[i]
      and granted[cardinality(granted) - limit_calls[i] + 1] + limit_window_ms[i] * interval '1 millisecond' > clock_timestamp()
    then
      return false;
    end if;
  end loop;
  if at_most is not null then
    delete from app.calls_in_flight as f where f.bucket = take_free_slot.bucket and f.expires_at < clock_timestamp();
    if (select count(*) from app.calls_in_flight as f where f.bucket = take_free_slot.bucket) >= at_most then
      return false;
    end if;
    insert into app.calls_in_flight (bucket, holder, expires_at)
    values (take_free_slot.bucket, take_free_slot.holder, clock_timestamp() + lasts_ms * interval '1 millisecond');
  end if;
  granted := granted || clock_timestamp();
  update app.call_spacing as s
  set recent = granted[greatest(1, cardinality(granted) - looks_back + 1) :]
  where s.bucket = take_free_slot.bucket;
  return true;
end
$$;
comment on function app.take_free_slot is
  'Takes the next departure of a key, and for `holder` one of its `at_most` places in flight, if both can be had at once and no one '
  'else is at it. Returns false, and takes nothing, where the call has to wait for them: app.take_place and app.take_slot do.';

create function app.book_calls(run_id uuid, owner uuid, call_ids uuid[], batch_ids uuid[])
returns table (id uuid, subject text, batch_id uuid) language plpgsql set search_path = '' as $$
#variable_conflict use_column
declare
  bound bigint;
  booked bigint;
begin
  select run.bound_micros into bound from app.runs as run
  where run.id = book_calls.run_id and run.state = 'running' and run.lease_owner = book_calls.owner
    and run.lease_expires_at > now() and run.cancel_requested_at is null
  for no key update;
  if not found or app.key_is_of_other_kind(book_calls.call_ids) then
    return;
  end if;
  select coalesce(sum(d.cost_micros), 0) into booked from app.ledger_days as d where d.run_id = book_calls.run_id;
  return query
    update app.paid_calls as c
    set state = 'sent', sent_at = now(), attempts = c.attempts + 1, cost_micros = c.estimate_micros,
      batch_id = batch_ids[array_position(call_ids, c.id)]
    from (
      select p.id, p.cost_micros, sum(p.estimate_micros - p.cost_micros) over (order by array_position(call_ids, p.id)) as up_to_here
      from app.paid_calls as p where p.id = any (call_ids) and p.state = 'planned'
    ) as wanted
    where c.id = wanted.id and c.state = 'planned' and (booked + wanted.up_to_here <= bound or wanted.cost_micros > 0)
    returning c.id, c.subject, c.batch_id;
end
$$;
comment on function app.book_calls is
  'Books planned calls as sent, each with its batch, and returns them: as many as the bound of the run has room for, in this order. '
  'None unless `owner` holds the run, no one has canceled it, and the stored key is of the run''s kind.';

create function app.begin_calls(
  run_id uuid, owner uuid, provider text, operation text, when_uncertain text, estimate_micros bigint, wanted jsonb,
  bucket text, limit_calls integer[], limit_window_ms integer[], at_most integer, lasts_ms integer, durable boolean
) returns table (settled jsonb, calls jsonb) language plpgsql set search_path = '' as $$
#variable_conflict use_column
declare
  leaving record;
  ids uuid[] := '{}';
  requests uuid[] := '{}';
  -- The request that each call left with, by the call's id.
  sent jsonb;
begin
  -- At once as booking a call needs it: two that shared it would wait for each other.
  perform from app.runs as run
  where run.id = begin_calls.run_id and run.state = 'running' and run.lease_owner = begin_calls.owner
    and not (durable and run.cancel_requested_at is not null)
  for no key update;
  if not found then
    return;
  end if;
  select plan.settled, plan.calls into settled, calls
  from app.plan_calls(begin_calls.run_id, begin_calls.owner, begin_calls.provider, begin_calls.operation,
    begin_calls.when_uncertain, begin_calls.estimate_micros,
    array(select one.subject from jsonb_to_recordset(wanted) as one (subject text)),
    array(select one.round from jsonb_to_recordset(wanted) as one (round integer))) as plan;
  -- Who repeats this because its commit got lost finds what it has sent.
  sent := (
    select coalesce(jsonb_object_agg(call.id, call.batch_id), '{}')
    from app.paid_calls as call join jsonb_to_recordset(wanted) as one (subject text, request uuid)
      on call.subject = one.subject and call.batch_id = one.request
    where call.run_id = begin_calls.run_id and call.state = 'sent'
  );
  -- While the provider is silent, a call has to ask whether it may try. That is a lock which those who settle take last.
  if settled = '[]' and sent = '{}'
    and not exists (select from app.provider_circuits as circuit where circuit.bucket = begin_calls.bucket)
  then
    for leaving in
      select one.request, array_agg(call.id order by one.place) as ids
      from rows from (jsonb_to_recordset(wanted) as (subject text, request uuid)) with ordinality as one (subject, request, place)
        left join jsonb_to_recordset(calls) as call (id uuid, subject text, mine boolean) on call.subject = one.subject and call.mine
      where one.request is not null
      group by one.request having bool_and(call.id is not null) order by min(one.place)
    loop
      -- A call that several of them want leaves with the first.
      continue when leaving.ids && ids;
      exit when not app.take_free_slot(begin_calls.bucket, limit_calls, limit_window_ms, at_most, leaving.request, lasts_ms);
      ids := ids || leaving.ids;
      requests := requests || array_fill(leaving.request, array[cardinality(leaving.ids)]);
    end loop;
    sent := (
      select coalesce(jsonb_object_agg(call.id, call.batch_id), '{}')
      from app.book_calls(begin_calls.run_id, begin_calls.owner, ids, requests) as call
    );
    delete from app.calls_in_flight as f
    where f.bucket = begin_calls.bucket and f.holder = any (requests)
      and not exists (select from jsonb_each_text(sent) as gone where gone.value = f.holder::text);
  end if;
  if sent <> '{}' then
    calls := (
      select jsonb_agg(call || jsonb_build_object('sent', sent -> (call ->> 'id')) order by place)
      from jsonb_array_elements(calls) with ordinality as every (call, place)
    );
  elsif not durable then
    -- A plan alone reaches the disk with the booking of its calls.
    perform set_config('synchronous_commit', 'off', true);
  end if;
  return next;
end
$$;
comment on function app.begin_calls is
  'Plans calls as app.plan_calls does, `wanted` as [{subject, round, request}], and books as sent, for each request, what may leave at '
  'once: none of it is settled or under way elsewhere, the provider answers, and the key has a free departure. In calls, `sent` is that '
  'request, which is also their batch. Everything else stays planned and takes one step after the other. A request that is '
  'repeated because its commit got lost finds its calls sent. `durable`: the transaction settles the call before, '
  'which a run that is canceled does not follow up.';

revoke all on function app.take_free_slot, app.book_calls, app.begin_calls from public;
grant execute on function app.take_free_slot, app.book_calls, app.begin_calls to service_role, fairlead_worker;
