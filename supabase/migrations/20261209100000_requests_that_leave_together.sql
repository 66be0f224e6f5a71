-- Requests of one run that begin together leave together, where nothing stands in their way. Before, that was so for one request alone:
-- calls of several were planned first, and each was written twice.
-- Unused since version 1: no server calls app.write_sent_calls. Only app.begin_calls does, which is replaced here as well.

drop function app.write_sent_calls(uuid, text, text, text, bigint, text[], integer[], uuid, text, integer[], integer[], integer, integer);

create function app.write_sent_calls(
  run_id uuid, provider text, operation text, when_uncertain text, estimate_micros bigint, subjects text[], rounds integer[],
  requests uuid[], bucket text, limit_calls integer[], limit_window_ms integer[], at_most integer, lasts_ms integer
) returns jsonb language plpgsql
set search_path = '' set plan_cache_mode = force_generic_plan set enable_seqscan = off set jit = off as $$
#variable_conflict use_column
declare
  request uuid;
  run_user uuid;
  run_sandbox boolean;
  calls jsonb;
begin
  select run.user_id, run.sandbox into run_user, run_sandbox from app.runs as run
  where run.id = write_sent_calls.run_id and run.lease_expires_at > now() and run.cancel_requested_at is null
    and run.bound_micros >= cardinality(subjects) * write_sent_calls.estimate_micros
      + (select coalesce(sum(d.cost_micros), 0) from app.ledger_days as d where d.run_id = write_sent_calls.run_id)
    and not exists (
      select from app.provider_keys as key
      where key.user_id = run.user_id and key.provider = write_sent_calls.provider and key.sandbox <> run.sandbox
    )
    and not exists (select from app.provider_circuits as circuit where circuit.bucket = write_sent_calls.bucket)
    and not exists (
      select from app.paid_calls as call
      where call.state in ('planned', 'sent') and call.user_id = run.user_id and call.provider = write_sent_calls.provider
        and call.operation = write_sent_calls.operation and call.sandbox = run.sandbox and call.subject = any (subjects)
    );
  if not found then
    return null;
  end if;
  foreach request in array array(
    select one.id from unnest(requests) with ordinality as one (id, place) group by one.id order by min(one.place)
  ) loop
    if not app.take_free_slot(write_sent_calls.bucket, limit_calls, limit_window_ms, at_most, request, lasts_ms) then
      raise exception using errcode = 'FL001';
    end if;
  end loop;
  with inserted as (
    insert into app.paid_calls (idempotency_key, run_id, user_id, provider, operation, subject, batch_id, state, estimate_micros,
      cost_micros, attempts, sandbox, sent_at)
    select wanted.key, write_sent_calls.run_id, run_user, write_sent_calls.provider, write_sent_calls.operation, wanted.subject,
      wanted.request, 'sent', write_sent_calls.estimate_micros, write_sent_calls.estimate_micros, 1, run_sandbox, now()
    from unnest(subjects, app.call_keys(write_sent_calls.run_id, write_sent_calls.operation, subjects, rounds), requests)
      as wanted (subject, key, request)
    order by wanted.subject
    on conflict do nothing
    returning id, subject, batch_id
  )
  select jsonb_agg(
    jsonb_build_object('id', id, 'subject', subject, 'written', true, 'mine', true, 'sent', batch_id) order by subject)
  into calls from inserted;
  -- Looked up only now: an answer that was stored before the row could be written is visible from here on.
  if jsonb_array_length(calls) is distinct from cardinality(subjects) or exists (
    select from app.recall(
      write_sent_calls.run_id, run_user, write_sent_calls.provider, write_sent_calls.operation, run_sandbox, when_uncertain, subjects)
  ) then
    raise exception using errcode = 'FL001';
  end if;
  return calls;
-- Someone else was faster, or one of the requests has no departure. Nothing is written, and none is taken.
exception when sqlstate 'FL001' then
  return null;
end
$$;
comment on function app.write_sent_calls is
  'Writes the calls of requests as sent, if nothing stands in their way: the run is not canceled and has room for all of them, its key is of '
  'its kind, the provider answers, no subject is settled or under way elsewhere, and the key has a free departure for each request. '
  'Otherwise writes nothing and returns null. The caller has locked the run.';
revoke all on function app.write_sent_calls from public;
grant execute on function app.write_sent_calls to service_role, fairlead_worker;

create or replace function app.begin_calls(
  run_id uuid, owner uuid, provider text, operation text, when_uncertain text, estimate_micros bigint, wanted jsonb, bucket text,
  limit_calls integer[], limit_window_ms integer[], at_most integer, lasts_ms integer, durable boolean
) returns table (settled jsonb, calls jsonb) language plpgsql
set search_path = '' set plan_cache_mode = force_generic_plan set enable_seqscan = off set jit = off as $$
#variable_conflict use_column
declare
  leaving record;
  ids uuid[] := '{}';
  requests uuid[] := '{}';
  subjects constant text[] := array(select one.subject from jsonb_to_recordset(wanted) as one (subject text));
  rounds constant integer[] := array(select one.round from jsonb_to_recordset(wanted) as one (round integer));
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
  -- All of them, or none: of several requests that meet an obstacle, some may still leave and others not.
  if (select count(one.request) = count(*) from jsonb_to_recordset(wanted) as one (request uuid)) then
    calls := app.write_sent_calls(begin_calls.run_id, begin_calls.provider, begin_calls.operation, begin_calls.when_uncertain,
      begin_calls.estimate_micros, subjects, rounds,
      array(select one.request from jsonb_to_recordset(wanted) as one (request uuid)),
      begin_calls.bucket, limit_calls, limit_window_ms, at_most, lasts_ms);
    if calls is not null then
      settled := '[]';
      return next;
      return;
    end if;
  end if;
  select plan.settled, plan.calls into settled, calls
  from app.plan_calls(begin_calls.run_id, begin_calls.owner, begin_calls.provider, begin_calls.operation,
    begin_calls.when_uncertain, begin_calls.estimate_micros,
    subjects, rounds) as plan;
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
