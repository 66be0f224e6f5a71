-- Steps of paid calls that take several statements, as functions: a server waits for the database once for each of them.

create function app.recall(
  run_id uuid, user_id uuid, provider text, operation text, sandbox boolean, when_uncertain text, subjects text[]
) returns table (subject text, answer jsonb, answered_at timestamptz, paid_call_id uuid, run_id_of_call uuid)
language plpgsql stable set search_path = '' as $$
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
$$;
comment on function app.recall is
  'What is already settled about subjects: answers that are remembered, and, without a call''s id, subjects whose call is uncertain '
  'and must not be repeated.';

create function app.plan_calls(
  run_id uuid, owner uuid, provider text, operation text, when_uncertain text, estimate_micros bigint, subjects text[], rounds integer[]
) returns table (settled jsonb, calls jsonb) language plpgsql set search_path = '' as $$
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
    select concat_ws(':', plan_calls.run_id, plan_calls.operation, wanted.round, md5(wanted.subject)), plan_calls.run_id, run_user,
      plan_calls.provider, plan_calls.operation, wanted.subject, plan_calls.estimate_micros, run_sandbox
    from unnest(subjects, rounds) as wanted (subject, round)
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
$$;
comment on function app.plan_calls is
  'Plans a call for every subject that has none in flight. Returns what is settled about the subjects, and the calls in flight: '
  '`written` just now, `mine` when this run may send them. Returns nothing unless `owner` holds the run. The lock keeps the run '
  'from ending or changing its process meanwhile: others would wait for calls that no one sends.';

create function app.book_answers(
  run_id uuid, provider text, operation text, bucket text, charged_once_days integer, given jsonb
) returns table (ended boolean, booked uuid[]) language plpgsql set search_path = '' as $$
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
  -- the later call's is booked, in whatever order they come.
  with answered as (
    update app.paid_calls as call
    set state = 'answered', settled_at = now(), settled_by_hand_at = null, error_kind = null, error_message = null,
      cost_micros = case when charged_once_days is not null and exists (
        select from app.answers as answer join app.paid_calls as later on later.id = answer.paid_call_id
        where answer.user_id = call.user_id and answer.provider = call.provider and answer.operation = call.operation
          and answer.subject = call.subject and answer.sandbox = call.sandbox
          and later.id <> call.id and later.sent_at >= call.sent_at
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
    expires_at = excluded.expires_at;
  delete from app.provider_circuits as circuit where circuit.bucket = book_answers.bucket;
  perform pg_notify('call_settled', id::text) from jsonb_to_recordset(given) as paid (id uuid);
  return next;
end
$$;
comment on function app.book_answers is
  'Books answers of a run, `given` as [{id, subject, cost, answer, answered_at, expires_at}], and remembers them. Returns the calls '
  'that no one had booked before: a transaction whose commit got lost is repeated. `ended`: the run has ended meanwhile. '
  '`charged_once_days`: for how long the provider charges a subject once; null when it charges each time.';

create function app.add_leads(list_id uuid, places jsonb, matched boolean) returns boolean
language plpgsql set search_path = '' as $$
#variable_conflict use_column
declare
  last integer;
  added integer;
begin
  perform from public.lists as list where list.id = add_leads.list_id for update;
  if not found then
    return true;
  end if;
  if not matched and exists (
    select from public.leads as lead where lead.list_id = add_leads.list_id and lead.open_id is not null
  ) then
    return false;
  end if;
  select coalesce(max(lead.position), -1) into last from public.leads as lead where lead.list_id = add_leads.list_id;
  insert into public.leads (list_id, position, business_name, phone, address, website, place_id, latitude, longitude,
    service_area, place_call_id, created_at)
  select add_leads.list_id, last + at, name, phone, address, website, id, latitude, longitude, service_area, call_id,
    coalesce(since, now())
  from rows from (jsonb_to_recordset(places) as (id text, name text, phone text, address text, website text,
      latitude double precision, longitude double precision, service_area boolean, call_id uuid, since timestamptz))
    with ordinality as place (id, name, phone, address, website, latitude, longitude, service_area, call_id, since, at)
  on conflict (list_id, place_id) do nothing;
  get diagnostics added = row_count;
  -- Under the lock on the list, so that nothing is missed. Counting them again would take longer with each page.
  update public.lists as list set lead_count = list.lead_count + added where list.id = add_leads.list_id;
  return true;
end
$$;
comment on function app.add_leads is
  'Adds places at the end of a list and counts them; does nothing when the list is gone. Returns false, with the list locked, '
  'when leads of it are from open data: places are `matched` with those before they are added.';

revoke all on function app.recall, app.plan_calls, app.book_answers, app.add_leads from public;
grant execute on function app.recall, app.plan_calls, app.book_answers, app.add_leads to service_role, fairlead_worker;
