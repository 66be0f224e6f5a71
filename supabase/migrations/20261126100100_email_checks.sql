-- Hunter's verifier: a paid call of a name of its own, and beside each email what was said of it. Old rows keep to the stricter rule,
-- so they need no second look.
alter table app.paid_calls drop constraint paid_calls_operation_check;
alter table app.paid_calls add constraint paid_calls_operation_check
  check (operation in ('locate', 'search_page', 'area_count', 'domain_search', 'email_verify', 'phone_scrub')) not valid;
alter table app.paid_calls validate constraint paid_calls_operation_check;
alter table app.answers drop constraint answers_operation_check;
alter table app.answers add constraint answers_operation_check
  check (operation in ('locate', 'search_page', 'area_count', 'place', 'domain_search', 'email_verify', 'phone_scrub')) not valid;
alter table app.answers validate constraint answers_operation_check;
alter table app.recalls drop constraint recalls_operation_check;
alter table app.recalls add constraint recalls_operation_check
  check (operation in ('locate', 'search_page', 'area_count', 'domain_search', 'email_verify', 'phone_scrub')) not valid;
alter table app.recalls validate constraint recalls_operation_check;
alter table app.ledger_days drop constraint ledger_days_operation_check;
alter table app.ledger_days add constraint ledger_days_operation_check
  check (operation in ('locate', 'search_page', 'area_count', 'domain_search', 'email_verify', 'phone_scrub')) not valid;
alter table app.ledger_days validate constraint ledger_days_operation_check;

alter table public.leads
  add column email_status text,
  add column email_checked_at timestamptz,
  add column email_check_call_id uuid;
alter table public.leads add constraint leads_email_status_check
  check (email_status in ('valid', 'invalid', 'accept_all', 'webmail', 'disposable', 'unknown')) not valid;
alter table public.leads validate constraint leads_email_status_check;
alter table public.leads add constraint leads_email_check_call_id_fkey
  foreign key (email_check_call_id) references app.paid_calls on delete set null not valid;
alter table public.leads validate constraint leads_email_check_call_id_fkey;
comment on column public.leads.email_status is 'What Hunter said of the email. Null where no one has checked it, or no one knows when.';
comment on column public.leads.email_checked_at is 'When it was checked, by what Hunter says.';
create index leads_email_check_call_id_idx on public.leads (email_check_call_id) where email_check_call_id is not null;

create function app.reset_email_check() returns trigger language plpgsql set search_path = '' as $$
begin
  new.email_status := null;
  new.email_checked_at := null;
  new.email_check_call_id := null;
  new.email_verified := null;
  return new;
end
$$;
comment on function app.reset_email_check is 'What was said of an email is not said of the one that takes its place.';
revoke all on function app.reset_email_check from public;
grant execute on function app.reset_email_check to fairlead_worker, service_role;
-- Who brings an email from Hunter says in the same statement what Hunter said of it. Its name comes after keep_erased, which may take the
-- email away.
create trigger reset_email_check before update of email on public.leads for each row
  when (lower(btrim(new.email)) is distinct from lower(btrim(old.email))
    and (new.email is null or new.email_call_id is not distinct from old.email_call_id))
  execute function app.reset_email_check();
-- Undoing an import left it behind.
update public.leads set email_verified = null where email is null and email_verified is not null;

create or replace function app.keep_leads_to_kind() returns trigger language plpgsql set search_path = '' as $$
begin
  if exists (
    select from app.paid_calls as call
    where call.id in
      (new.place_call_id, new.email_call_id, new.owner_call_id, new.compliance_call_id, new.email_check_call_id)
      and call.sandbox is distinct from (select list.sandbox from public.lists as list where list.id = new.list_id)
  ) then
    raise exception 'lead % would mix sandbox data and real data in list %', new.id, new.list_id
      using errcode = 'check_violation', constraint = 'keep_leads_to_kind';
  end if;
  return null;
end
$$;
drop trigger keep_leads_to_kind on public.leads;
create trigger keep_leads_to_kind after
  insert or update of list_id, place_call_id, email_call_id, owner_call_id, compliance_call_id, email_check_call_id on public.leads
  for each row when (coalesce(
    new.place_call_id, new.email_call_id, new.owner_call_id, new.compliance_call_id, new.email_check_call_id) is not null)
  execute function app.keep_leads_to_kind();
