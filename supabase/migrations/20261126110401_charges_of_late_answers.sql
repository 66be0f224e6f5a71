-- Books what the provider has charged for each call: a later one that was free took no charge away.
create or replace function app.book_answers(run_id uuid, provider text, operation text, bucket text, charged_once_days integer, given jsonb)
 returns table(ended boolean, booked uuid[])
 language plpgsql
 set search_path to ''
as $$
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
$$;
