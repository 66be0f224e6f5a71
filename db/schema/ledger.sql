-- Every paid call, what it answered, what was spared by an earlier answer, and the sums of all this.
-- Written by `npm run db:types` from the migrations. Do not edit.

create type app.ledger_change as (
  run_id uuid,
  day date,
  operation text,
  user_id uuid,
  provider text,
  sandbox boolean,
  sent integer,
  answered integer,
  failed integer,
  uncertain integer,
  cost_micros bigint,
  uncertain_micros bigint,
  recalled integer,
  saved_micros bigint
);

create table app.paid_calls (
  id uuid not null default gen_random_uuid(),
  idempotency_key text not null,
  run_id uuid,
  user_id uuid not null,
  provider text not null,
  operation text not null,
  subject text not null,
  batch_id uuid,
  state text not null default 'planned',
  estimate_micros bigint not null,
  cost_micros bigint not null default 0, -- What is booked: 0 until sent, the estimate while sent or uncertain, the provider's price once answered.
  maybe_charged boolean not null default false, -- An earlier try of this call may have been charged. Until it is answered it stays booked, also while it waits to be sent again.
  attempts integer not null default 0,
  error_kind text,
  error_message text,
  sandbox boolean not null,
  planned_at timestamptz not null default now(),
  sent_at timestamptz,
  settled_at timestamptz,
  settled_by_hand_at timestamptz,
  constraint paid_calls_pkey primary key (id),
  constraint paid_calls_id_sandbox_key unique (id, sandbox),
  constraint paid_calls_idempotency_key_key unique (idempotency_key),
  constraint paid_calls_run_id_fkey foreign key (run_id, sandbox) references app.runs(id, sandbox) on delete cascade,
  constraint paid_calls_user_id_fkey foreign key (user_id) references auth.users(id) on delete cascade,
  constraint paid_calls_cost_micros_check check (cost_micros >= 0),
  constraint paid_calls_estimate_micros_check check (estimate_micros >= 0),
  constraint paid_calls_operation_check check (operation in ('locate', 'search_page', 'area_count', 'domain_search', 'email_verify', 'phone_scrub')),
  constraint paid_calls_provider_check check (provider in ('google_places', 'hunter_io', 'searchbug')),
  constraint paid_calls_state_check check (state in ('planned', 'sent', 'answered', 'failed', 'uncertain'))
);
create index paid_calls_coordinates_idx on app.paid_calls (settled_at) where ((operation = 'search_page') and (subject ~ ' m of [-0-9.e]+,[-0-9.e]+, page '));
create unique index paid_calls_one_in_flight on app.paid_calls (user_id, provider, operation, subject, sandbox) where (state in ('planned', 'sent'));
create index paid_calls_run_id_planned_at_idx on app.paid_calls (run_id, planned_at desc, id desc);
create index paid_calls_settled_by_hand_idx on app.paid_calls (user_id, provider, operation, subject) where (settled_by_hand_at is not null);
create index paid_calls_uncertain_idx on app.paid_calls (user_id, provider, operation, subject) where (state = 'uncertain');
create index paid_calls_user_id_planned_at_idx on app.paid_calls (user_id, planned_at desc);
create index paid_calls_user_id_sent_idx on app.paid_calls (user_id, sandbox, coalesce(sent_at, planned_at), id) where ((state <> 'planned') or (cost_micros > 0));
alter table app.paid_calls enable row level security;
alter table app.paid_calls force row level security;
create policy keeps_the_ledger on app.paid_calls as restrictive for delete to fairlead_worker
  using (state = 'planned');
create policy server on app.paid_calls to fairlead_worker, service_role
  using (true)
  with check (true);
grant select, insert, update, delete on app.paid_calls to fairlead_worker;
grant select, insert, update, delete on app.paid_calls to service_role;
create trigger forget_erased_subject before update of state on app.paid_calls for each row when ((old.state in ('planned', 'sent')) and (new.state <> ALL (array['planned', 'sent'])) and (new.operation in ('email_verify', 'phone_scrub'))) execute function app.forget_erased_subject();
create trigger keep_kind before update of sandbox on app.paid_calls for each row when (new.sandbox <> old.sandbox) execute function app.keep_kind();
create trigger seal_call_key before insert on app.paid_calls for each row execute function app.seal_call_key();
create trigger sum_changed_calls after update on app.paid_calls referencing old table as old_calls new table as new_calls for each statement execute function app.sum_changed_calls();
create trigger sum_new_calls after insert on app.paid_calls referencing new table as new_calls for each statement execute function app.sum_new_calls();

create table app.answers (
  user_id uuid not null,
  provider text not null,
  operation text not null,
  subject text not null,
  sandbox boolean not null,
  answer jsonb not null,
  paid_call_id uuid not null,
  answered_at timestamptz not null default now(),
  expires_at timestamptz,
  constraint answers_pkey primary key (user_id, provider, operation, subject, sandbox),
  constraint answers_paid_call_id_fkey foreign key (paid_call_id, sandbox) references app.paid_calls(id, sandbox) on delete cascade,
  constraint answers_user_id_fkey foreign key (user_id) references auth.users(id) on delete cascade,
  constraint answers_operation_check check (operation in ('locate', 'search_page', 'area_count', 'place', 'domain_search', 'email_verify', 'phone_scrub')),
  constraint answers_provider_check check (provider in ('google_places', 'hunter_io', 'searchbug'))
);
create index answers_expires_at_idx on app.answers (expires_at) where (expires_at is not null);
create index answers_paid_call_id_idx on app.answers (paid_call_id);
alter table app.answers enable row level security;
alter table app.answers force row level security;
create policy server on app.answers to fairlead_worker, service_role
  using (true)
  with check (true);
grant select, insert, update, delete on app.answers to fairlead_worker;
grant select, insert, update, delete on app.answers to service_role;
create trigger forget_erased_answer before insert or update of answer on app.answers for each row execute function app.forget_erased_answer();

-- Answers that a run used again instead of paying for them.
create table app.recalls (
  run_id uuid not null,
  operation text not null,
  subject text not null,
  user_id uuid not null,
  provider text not null,
  sandbox boolean not null,
  paid_call_id uuid not null, -- The call that brought the answer.
  saved_micros bigint not null, -- What that call had cost.
  recalled_at timestamptz not null default now(),
  constraint recalls_pkey primary key (run_id, operation, subject),
  constraint recalls_paid_call_id_fkey foreign key (paid_call_id, sandbox) references app.paid_calls(id, sandbox) on delete cascade,
  constraint recalls_run_id_fkey foreign key (run_id, sandbox) references app.runs(id, sandbox) on delete cascade,
  constraint recalls_user_id_fkey foreign key (user_id) references auth.users(id) on delete cascade,
  constraint recalls_operation_check check (operation in ('locate', 'search_page', 'area_count', 'domain_search', 'email_verify', 'phone_scrub')),
  constraint recalls_provider_check check (provider in ('google_places', 'hunter_io', 'searchbug')),
  constraint recalls_saved_micros_check check (saved_micros >= 0)
);
create index recalls_coordinates_idx on app.recalls (recalled_at) where ((operation = 'search_page') and (subject ~ ' m of [-0-9.e]+,[-0-9.e]+, page '));
create index recalls_paid_call_id_idx on app.recalls (paid_call_id);
create index recalls_user_id_idx on app.recalls (user_id);
alter table app.recalls enable row level security;
alter table app.recalls force row level security;
create policy server on app.recalls to fairlead_worker, service_role
  using (true)
  with check (true);
grant select, insert, update on app.recalls to fairlead_worker;
grant select, insert, update, delete on app.recalls to service_role;
create trigger forget_erased_subject before insert on app.recalls for each row when (new.operation in ('email_verify', 'phone_scrub')) execute function app.forget_erased_subject();
create trigger sum_recalls after insert on app.recalls referencing new table as new_recalls for each statement execute function app.sum_recalls();

-- One row for each run, day (UTC, when a call was sent) and operation.
create table app.ledger_days (
  run_id uuid not null,
  day date not null,
  operation text not null,
  user_id uuid not null,
  provider text not null,
  sandbox boolean not null,
  sent integer not null default 0,
  answered integer not null default 0,
  failed integer not null default 0,
  uncertain integer not null default 0,
  cost_micros bigint not null default 0, -- Booked. Calls that are sent or uncertain count at their estimate.
  uncertain_micros bigint not null default 0,
  recalled integer not null default 0,
  saved_micros bigint not null default 0,
  constraint ledger_days_pkey primary key (run_id, day, operation),
  constraint ledger_days_run_id_fkey foreign key (run_id) references app.runs(id) on delete cascade,
  constraint ledger_days_user_id_fkey foreign key (user_id) references auth.users(id) on delete cascade,
  constraint ledger_days_operation_check check (operation in ('locate', 'search_page', 'area_count', 'domain_search', 'email_verify', 'phone_scrub')),
  constraint ledger_days_provider_check check (provider in ('google_places', 'hunter_io', 'searchbug'))
);
create index ledger_days_user_id_day_idx on app.ledger_days (user_id, day);
alter table app.ledger_days enable row level security;
alter table app.ledger_days force row level security;
create policy server on app.ledger_days to fairlead_worker, service_role
  using (true)
  with check (true);
grant select, insert, update on app.ledger_days to fairlead_worker;
grant select, insert, update, delete on app.ledger_days to service_role;

-- What is already settled about subjects: answers that are remembered, and, without a call's id, subjects whose call is uncertain
-- and must not be repeated.
-- May be called by: fairlead_worker, service_role.
create function app.recall(run_id uuid, user_id uuid, provider text, operation text, sandbox boolean, when_uncertain text, subjects text[])
 returns table(subject text, answer jsonb, answered_at timestamptz, paid_call_id uuid, run_id_of_call uuid)
 language plpgsql
 stable
 set search_path to ''
 set plan_cache_mode to 'force_generic_plan'
 set enable_seqscan to 'off'
 set jit to 'off'
as $function$
#variable_conflict use_column
begin
  return query
    select call.subject, null::jsonb, null::timestamptz, null::uuid, null::uuid from app.paid_calls as call
    where when_uncertain <> 'repeat' and call.state = 'uncertain' and call.user_id = recall.user_id
      and call.provider = recall.provider and call.operation = recall.operation and call.sandbox = recall.sandbox
      and call.subject = any (subjects) and (when_uncertain = 'never' or call.run_id = recall.run_id)
    union all
    select known.subject, known.answer, known.answered_at, known.paid_call_id, call.run_id
    from app.answers as known join app.paid_calls as call on call.id = known.paid_call_id
    where known.user_id = recall.user_id and known.provider = recall.provider and known.operation = recall.operation
      and known.sandbox = recall.sandbox and known.subject = any (subjects)
      and (known.expires_at is null or known.expires_at > now());
end
$function$;

-- The idempotency keys of calls, each with its subject as a keyed hash: anyone may work out a plain one of every number.
-- May be called by: fairlead_worker, service_role.
create function app.call_keys(run_id uuid, operation text, subjects text[], rounds integer[])
 returns text[]
 language sql
 stable
 set search_path to ''
as $function$
  select array_agg(concat_ws(':', call_keys.run_id, call_keys.operation, one.round, encode(one.hash, 'hex')) order by one.place)
  from unnest(rounds, app.contact_hashes(array(
    select 'call ' || asked.subject from unnest(subjects) with ordinality as asked (subject, place) order by asked.place
  ))) with ordinality as one (round, hash, place)
$function$;

-- Plans a call for every subject that has none in flight. Returns what is settled about the subjects, and the calls in flight:
-- `written` just now, `mine` when this run may send them. Returns nothing unless `owner` holds the run. The lock keeps the run
-- from ending or changing its process meanwhile: others would wait for calls that no one sends.
-- May be called by: fairlead_worker, service_role.
create function app.plan_calls(run_id uuid, owner uuid, provider text, operation text, when_uncertain text, estimate_micros bigint, subjects text[], rounds integer[])
 returns table(settled jsonb, calls jsonb)
 language plpgsql
 set search_path to ''
 set plan_cache_mode to 'force_generic_plan'
 set enable_seqscan to 'off'
 set jit to 'off'
as $function$
#variable_conflict use_column
declare
  run_user uuid;
  run_sandbox boolean;
  written uuid[];
begin
  select run.user_id, run.sandbox into run_user, run_sandbox from app.runs as run
  where run.id = plan_calls.run_id and run.state = 'running' and run.lease_owner = plan_calls.owner
  for share;
  if not found then
    return;
  end if;
  with inserted as (
    insert into app.paid_calls (idempotency_key, run_id, user_id, provider, operation, subject, estimate_micros, sandbox)
    select wanted.key, plan_calls.run_id, run_user, plan_calls.provider, plan_calls.operation, wanted.subject,
      plan_calls.estimate_micros, run_sandbox
    from unnest(subjects, app.call_keys(plan_calls.run_id, plan_calls.operation, subjects, rounds)) as wanted (subject, key)
    order by wanted.subject
    on conflict do nothing
    returning id
  )
  select coalesce(array_agg(id), '{}') into written from inserted;
  -- Looked up only now: an answer that was stored before the row could be written is visible from here on.
  settled := (
    select coalesce(jsonb_agg(to_jsonb(known)), '[]')
    from app.recall(
      plan_calls.run_id, run_user, plan_calls.provider, plan_calls.operation, run_sandbox, when_uncertain, subjects
    ) as known
  );
  calls := (
    select coalesce(jsonb_agg(jsonb_build_object('id', call.id, 'subject', call.subject, 'written', call.id = any (written),
      'mine', call.run_id = plan_calls.run_id and call.state = 'planned') order by call.subject), '[]')
    from app.paid_calls as call
    where call.state in ('planned', 'sent') and call.user_id = run_user and call.provider = plan_calls.provider
      and call.operation = plan_calls.operation and call.sandbox = run_sandbox and call.subject = any (subjects)
  );
  return next;
end
$function$;

-- Writes the calls of requests as sent, if nothing stands in their way: the run is not canceled and has room for all of them, its
-- key is of its kind, the provider answers, no subject is settled or under way elsewhere, and the key has a free departure for
-- each request. Otherwise writes nothing and returns null. The caller has locked the run.
-- May be called by: fairlead_worker, service_role.
create function app.write_sent_calls(run_id uuid, provider text, operation text, when_uncertain text, estimate_micros bigint, subjects text[], rounds integer[], requests uuid[], bucket text, limit_calls integer[], limit_window_ms integer[], at_most integer, lasts_ms integer)
 returns jsonb
 language plpgsql
 set search_path to ''
 set plan_cache_mode to 'force_generic_plan'
 set enable_seqscan to 'off'
 set jit to 'off'
as $function$
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
$function$;

-- Plans calls as app.plan_calls does, `wanted` as [{subject, round, request}], and books as sent, for each request, what may
-- leave at once: none of it is settled or under way elsewhere, the provider answers, and the key has a free departure. In calls,
-- `sent` is that request, which is also their batch. Everything else stays planned and takes one step after the other. A request
-- that is repeated because its commit got lost finds its calls sent. `durable`: the transaction settles the call before, which a
-- run that is canceled does not follow up.
-- May be called by: fairlead_worker, service_role.
create function app.begin_calls(run_id uuid, owner uuid, provider text, operation text, when_uncertain text, estimate_micros bigint, wanted jsonb, bucket text, limit_calls integer[], limit_window_ms integer[], at_most integer, lasts_ms integer, durable boolean)
 returns table(settled jsonb, calls jsonb)
 language plpgsql
 set search_path to ''
 set plan_cache_mode to 'force_generic_plan'
 set enable_seqscan to 'off'
 set jit to 'off'
as $function$
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
$function$;

-- Books planned calls as sent, right before they are. Returns those that it booked: none unless `owner` holds the run, no one has
-- cancelled it, and the stored key is of the run's kind; and in the order given only as many as the run's bound has room for. A
-- call that is booked already needs no room. The lock on the run makes the sum exact.
-- May be called by: fairlead_worker, service_role.
create function app.book_sent(run_id uuid, owner uuid, call_ids uuid[], batch_id uuid)
 returns table(id uuid, subject text)
 language plpgsql
 set search_path to ''
 set plan_cache_mode to 'force_generic_plan'
 set enable_seqscan to 'off'
 set jit to 'off'
as $function$
#variable_conflict use_column
declare
  bound bigint;
  booked bigint;
begin
  select run.bound_micros into bound from app.runs as run
  where run.id = book_sent.run_id and run.state = 'running' and run.lease_owner = book_sent.owner
    and run.lease_expires_at > now() and run.cancel_requested_at is null
  for no key update;
  if not found or app.key_is_of_other_kind(book_sent.call_ids) then
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
$function$;

-- Books planned calls as sent, each with its batch, and returns them: as many as the bound of the run has room for, in this
-- order. None unless `owner` holds the run, no one has canceled it, and the stored key is of the run's kind.
-- May be called by: fairlead_worker, service_role.
create function app.book_calls(run_id uuid, owner uuid, call_ids uuid[], batch_ids uuid[])
 returns table(id uuid, subject text, batch_id uuid)
 language plpgsql
 set search_path to ''
 set plan_cache_mode to 'force_generic_plan'
 set enable_seqscan to 'off'
 set jit to 'off'
as $function$
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
$function$;

-- Books answers of a run, `given` as [{id, subject, cost, answer, answered_at, expires_at}], and remembers them. Returns the
-- calls that no one had booked before: a transaction whose commit got lost is repeated. `ended`: the run has ended meanwhile.
-- `charged_once_days`: for how long the provider charges a subject once; null when it charges each time.
-- May be called by: fairlead_worker, service_role.
create function app.book_answers(run_id uuid, provider text, operation text, bucket text, charged_once_days integer, given jsonb)
 returns table(ended boolean, booked uuid[])
 language plpgsql
 set search_path to ''
 set plan_cache_mode to 'force_generic_plan'
 set enable_seqscan to 'off'
 set jit to 'off'
as $function$
#variable_conflict use_column
declare
  run_user uuid;
  run_sandbox boolean;
begin
  -- Anyone who has taken the run over books its calls, or sorts them out, under the same lock.
  select run.user_id, run.sandbox, run.state not in ('queued', 'running') into run_user, run_sandbox, ended
  from app.runs as run where run.id = book_answers.run_id
  for no key update;
  if charged_once_days is not null then
    -- One answer to each subject at a time, until the transaction ends. Two that came at once would not see each other.
    perform pg_advisory_xact_lock(hashtextextended(lock, 0)) from (
      select concat_ws(' ', book_answers.provider, book_answers.operation, run_user, run_sandbox::text, subject) as lock
      from jsonb_to_recordset(given) as paid (subject text)
      order by subject collate "C"
    ) as ordered;
  end if;
  -- Another process may have taken the run over and judged the call: the answer is the truth. Of two answers to what is charged once,
  -- the later call's is booked, in whatever order they come. A later one that was free took no charge away.
  with answered as (
    update app.paid_calls as call
    set state = 'answered', settled_at = now(), settled_by_hand_at = null, error_kind = null, error_message = null,
      cost_micros = case when charged_once_days is not null and exists (
        select from app.answers as answer join app.paid_calls as later on later.id = answer.paid_call_id
        where answer.user_id = call.user_id and answer.provider = call.provider and answer.operation = call.operation
          and answer.subject = call.subject and answer.sandbox = call.sandbox
          and later.id <> call.id and later.sent_at >= call.sent_at and later.cost_micros > 0
      ) then 0 else paid.cost end
    from jsonb_to_recordset(given) as paid (id uuid, cost bigint)
    where call.id = paid.id and call.state <> 'answered'
    returning call.id
  )
  select coalesce(array_agg(id), '{}') into booked from answered;
  if charged_once_days is not null then
    with older as (
      select call.id
      from jsonb_to_recordset(given) as paid (id uuid, cost bigint) join app.paid_calls as later on later.id = paid.id
        join app.paid_calls as call on call.subject = later.subject
      where (call.state = 'uncertain' or (call.settled_by_hand_at is not null and call.cost_micros > 0)
          or (call.state = 'answered' and call.cost_micros > 0 and paid.cost > 0 and call.sent_at < later.sent_at))
        and call.user_id = run_user and call.provider = book_answers.provider and call.operation = book_answers.operation
        and call.sandbox = run_sandbox
        and call.id not in (select id from jsonb_to_recordset(given) as own (id uuid))
        and coalesce(call.sent_at, call.planned_at) > now() - charged_once_days * interval '1 day'
      order by call.id for update of call
    )
    update app.paid_calls as call
    set state = case when state = 'answered' then 'answered' else 'failed' end, cost_micros = 0, settled_by_hand_at = null,
      error_message = case when state <> 'answered'
        then 'Its response was lost. A later call received it, and you were charged once.' end
    from older where call.id = older.id;
  end if;
  insert into app.answers (user_id, provider, operation, subject, sandbox, answer, paid_call_id, answered_at, expires_at)
  select run_user, book_answers.provider, book_answers.operation, subject, run_sandbox, answer, id, answered_at, expires_at
  from jsonb_to_recordset(given)
    as paid (id uuid, subject text, answer jsonb, answered_at timestamptz, expires_at timestamptz)
  order by subject
  on conflict (user_id, provider, operation, subject, sandbox) do update
  set answer = excluded.answer, paid_call_id = excluded.paid_call_id, answered_at = excluded.answered_at,
    expires_at = excluded.expires_at
  -- What a later call was charged for stays: the calls before it are booked at nothing for its sake.
  where charged_once_days is null or not exists (
    select from app.paid_calls as known join app.paid_calls as fresh on fresh.id = excluded.paid_call_id
    where known.id = answers.paid_call_id and known.id <> fresh.id and known.sent_at > fresh.sent_at and known.cost_micros > 0
  );
  delete from app.provider_circuits as circuit where circuit.bucket = book_answers.bucket;
  perform pg_notify('call_settled', id::text) from jsonb_to_recordset(given) as paid (id uuid);
  return next;
end
$function$;

-- What one call counts for, `factor` times. One that was planned and never sent has not failed.
-- May be called by: fairlead_worker, service_role.
create function app.ledger_change_of(c app.paid_calls, factor integer)
 returns app.ledger_change
 language sql
 immutable
 set search_path to ''
as $function$
  select row(c.run_id, (coalesce(c.sent_at, c.planned_at) at time zone 'UTC')::date, c.operation, c.user_id, c.provider,
    c.sandbox, factor * (c.state = 'sent')::integer, factor * (c.state = 'answered')::integer,
    factor * (c.state = 'failed' and c.sent_at is not null)::integer, factor * (c.state = 'uncertain')::integer,
    factor * c.cost_micros, factor * case when c.state = 'uncertain' then c.cost_micros else 0 end, 0, 0)::app.ledger_change
$function$;

-- Adds changes of the ledger to its sums. Always in the same order of tables and rows, so that two of these cannot block each
-- other. A call that is answered for what was booked changes none of the sums that all runs of a user share.
-- May be called by: fairlead_worker, service_role.
create function app.add_to_ledger_days(changes app.ledger_change[])
 returns void
 language plpgsql
 set search_path to ''
 set plan_cache_mode to 'force_generic_plan'
 set enable_seqscan to 'off'
 set jit to 'off'
as $function$
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
$function$;

-- What calls count for. One that was planned and never sent has not failed.
-- May be called by: service_role.
create function app.sum_new_calls()
 returns trigger
 language plpgsql
 set search_path to ''
 set plan_cache_mode to 'force_generic_plan'
 set enable_seqscan to 'off'
 set jit to 'off'
as $function$
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
$function$;

-- The difference that a change of calls makes, counted as app.sum_new_calls does.
-- May be called by: service_role.
create function app.sum_changed_calls()
 returns trigger
 language plpgsql
 set search_path to ''
 set plan_cache_mode to 'force_generic_plan'
 set enable_seqscan to 'off'
 set jit to 'off'
as $function$
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
$function$;

-- May be called by: service_role.
create function app.sum_recalls()
 returns trigger
 language plpgsql
 set search_path to ''
as $function$
begin
  perform app.add_to_ledger_days(array(
    select row(run_id, (recalled_at at time zone 'UTC')::date, operation, user_id, provider, sandbox,
      0, 0, 0, 0, 0, 0, 1, saved_micros)::app.ledger_change
    from new_recalls));
  return null;
end
$function$;
