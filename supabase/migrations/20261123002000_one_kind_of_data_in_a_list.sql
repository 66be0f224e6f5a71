-- A list holds invented data or real data. Its first run decides, and nothing changes that afterwards: rows of the two kinds that
-- belong together cannot be stored, whoever writes them.

-- 1. What older versions have mixed. A list that holds a real business is real; its invented leads and values go. Real values on
-- invented leads go as well: who paid for them still has them in app.answers.
do $mend$
begin
  create temporary table mixed on commit drop as
    select list.id as list_id, coalesce(
      (select bool_and(call.sandbox) from public.leads as lead join app.paid_calls as call on call.id = lead.place_call_id
        where lead.list_id = list.id),
      list.sandbox,
      (select run.sandbox from app.runs as run where run.list_id = list.id order by run.created_at limit 1)
    ) as sandbox, false as enriched_otherwise
    from public.lists as list
    where exists (select from app.runs as run where run.list_id = list.id and run.sandbox is distinct from list.sandbox)
      or exists (
        select from public.leads as lead join app.paid_calls as call
          on call.id in (lead.place_call_id, lead.email_call_id, lead.owner_call_id, lead.compliance_call_id)
        where lead.list_id = list.id and call.sandbox is distinct from list.sandbox
      );

  update mixed set enriched_otherwise = true
  where exists (select from app.runs as run where run.list_id = mixed.list_id and kind = 'enrichment' and run.sandbox <> mixed.sandbox)
    or exists (
      select from public.leads as lead join app.paid_calls as call on call.id in (lead.email_call_id, lead.owner_call_id)
      where lead.list_id = mixed.list_id and call.sandbox <> mixed.sandbox
    );

  -- A run of the other kind is one of no list from now on; the ledger and its list_key keep what it cost. An open one is cancelled.
  update app.runs as run
  set list_id = null,
    cancel_requested_at = case when state in ('queued', 'running') then coalesce(cancel_requested_at, now()) else cancel_requested_at end
  from mixed where run.list_id = mixed.list_id and run.sandbox <> mixed.sandbox;

  delete from public.leads as lead using mixed, app.paid_calls as call
  where lead.list_id = mixed.list_id and call.id = lead.place_call_id and call.sandbox <> mixed.sandbox;
  update public.leads as lead
  set email = null, email_confidence = null, email_verified = null, email_call_id = null
  from mixed, app.paid_calls as call
  where lead.list_id = mixed.list_id and call.id = lead.email_call_id and call.sandbox <> mixed.sandbox;
  update public.leads as lead set owner_name = null, owner_title = null, owner_call_id = null
  from mixed, app.paid_calls as call
  where lead.list_id = mixed.list_id and call.id = lead.owner_call_id and call.sandbox <> mixed.sandbox;
  update public.leads as lead
  set compliance_status = 'not_checked', compliance_reason = null, compliance_checked_at = null, compliance_call_id = null,
    phone_type = null
  from mixed, app.paid_calls as call
  where lead.list_id = mixed.list_id and call.id = lead.compliance_call_id and call.sandbox <> mixed.sandbox;

  update public.lists as list
  set sandbox = mixed.sandbox,
    lead_count = has.leads,
    has_emails = has.emails,
    has_contacts = has.contacts,
    tier2_complete = list.tier2_complete and (has.enrichment or not enriched_otherwise),
    completeness = case when enriched_otherwise and not has.enrichment and list.completeness = 65 then 45 else list.completeness end,
    compliance_checked = list.compliance_checked and has.unchecked = 0,
    compliance_cost_micros = has.check_micros,
    status = case when list.status = 'processing' and not has.open then case when has.leads > 0 then 'completed' else 'failed' end
      else list.status end
  from mixed, lateral (
    select (select count(*) from public.leads where list_id = mixed.list_id) as leads,
      exists (select from public.leads where list_id = mixed.list_id and email is not null) as emails,
      exists (select from public.leads where list_id = mixed.list_id and owner_name is not null) as contacts,
      (select count(*) from public.leads where list_id = mixed.list_id and phone is not null and compliance_status = 'not_checked'
        and compliance_reason is null) as unchecked,
      exists (select from app.runs as run where run.list_id = mixed.list_id and kind = 'enrichment' and state = 'completed') as enrichment,
      exists (select from app.runs as run where run.list_id = mixed.list_id and state in ('queued', 'running')) as open,
      (select coalesce(sum(day.cost_micros), 0) from app.ledger_days as day join app.runs as run on run.id = day.run_id
        where run.list_id = mixed.list_id and run.kind = 'compliance') as check_micros
  ) as has
  where list.id = mixed.list_id;

  -- Places that were remembered of a mixed list.
  delete from app.answers as answer using app.paid_calls as call
  where call.id = answer.paid_call_id and call.sandbox <> answer.sandbox;
  delete from app.recalls as recall using app.paid_calls as call
  where call.id = recall.paid_call_id and call.sandbox <> recall.sandbox;
end
$mend$;

-- 2. From a list to its runs, to their calls, to what is remembered of these.
alter table public.lists add constraint lists_id_sandbox_key unique (id, sandbox);
alter table app.runs
  add constraint runs_id_sandbox_key unique (id, sandbox),
  drop constraint runs_list_id_fkey,
  add constraint runs_list_id_fkey foreign key (list_id, sandbox) references public.lists (id, sandbox)
    on delete set null (list_id);
alter table app.paid_calls
  add constraint paid_calls_id_sandbox_key unique (id, sandbox),
  drop constraint paid_calls_run_id_fkey,
  add constraint paid_calls_run_id_fkey foreign key (run_id, sandbox) references app.runs (id, sandbox) on delete cascade;
alter table app.answers
  drop constraint answers_paid_call_id_fkey,
  add constraint answers_paid_call_id_fkey foreign key (paid_call_id, sandbox) references app.paid_calls (id, sandbox)
    on delete cascade;
alter table app.recalls
  drop constraint recalls_run_id_fkey,
  drop constraint recalls_paid_call_id_fkey,
  add constraint recalls_run_id_fkey foreign key (run_id, sandbox) references app.runs (id, sandbox) on delete cascade,
  add constraint recalls_paid_call_id_fkey foreign key (paid_call_id, sandbox) references app.paid_calls (id, sandbox)
    on delete cascade;

-- 3. The first run decides, and the decision stays.
create function app.decide_kind_of_list() returns trigger language plpgsql set search_path = '' as $$
begin
  update public.lists set sandbox = new.sandbox where id = new.list_id and sandbox is null;
  return new;
end
$$;
create trigger decide_kind_of_list before insert on app.runs
  for each row when (new.list_id is not null) execute function app.decide_kind_of_list();

create function app.keep_kind() returns trigger language plpgsql set search_path = '' as $$
begin
  raise exception '% % holds % data and keeps to it', tg_table_name, old.id, case when old.sandbox then 'sandbox' else 'real' end
    using errcode = 'check_violation', constraint = 'keep_kind';
end
$$;
create trigger keep_kind before update of sandbox on public.lists
  for each row when (old.sandbox is not null and new.sandbox is distinct from old.sandbox) execute function app.keep_kind();
create trigger keep_kind before update of sandbox on app.runs
  for each row when (new.sandbox <> old.sandbox) execute function app.keep_kind();
create trigger keep_kind before update of sandbox on app.paid_calls
  for each row when (new.sandbox <> old.sandbox) execute function app.keep_kind();

-- 4. What leads hold came from calls of their list's kind. Neither ever changes, so that one look when they are written is enough.
create function app.keep_leads_to_kind() returns trigger language plpgsql set search_path = '' as $$
begin
  if exists (
    select from app.paid_calls as call
    where call.id in (new.place_call_id, new.email_call_id, new.owner_call_id, new.compliance_call_id)
      and call.sandbox is distinct from (select list.sandbox from public.lists as list where list.id = new.list_id)
  ) then
    raise exception 'lead % would mix sandbox data and real data in list %', new.id, new.list_id
      using errcode = 'check_violation', constraint = 'keep_leads_to_kind';
  end if;
  return null;
end
$$;
create trigger keep_leads_to_kind after
  insert or update of list_id, place_call_id, email_call_id, owner_call_id, compliance_call_id on public.leads
  for each row when (coalesce(new.place_call_id, new.email_call_id, new.owner_call_id, new.compliance_call_id) is not null)
  execute function app.keep_leads_to_kind();

-- 5. A key that was exchanged for one of the other kind stops the run before its next call; one that was only removed does not, as
-- before. Else as before.
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
$$;

-- Whether the key that is stored now is a sandbox key and the calls are real, or the other way around.
create function app.key_is_of_other_kind(call_ids uuid[]) returns boolean language plpgsql stable set search_path = '' as $$
begin
  return exists (
    select from app.paid_calls as call join app.provider_keys as key on key.user_id = call.user_id and key.provider = call.provider
    where call.id = any (call_ids) and key.sandbox <> call.sandbox
  );
end
$$;

revoke execute on function app.decide_kind_of_list(), app.keep_kind(), app.keep_leads_to_kind(), app.key_is_of_other_kind(uuid[]) from public;
grant execute on function app.decide_kind_of_list(), app.keep_kind(), app.keep_leads_to_kind(), app.key_is_of_other_kind(uuid[])
  to service_role, fairlead_worker;
