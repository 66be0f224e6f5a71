create function app.reset_phone_check() returns trigger language plpgsql set search_path = '' as $$
begin
  new.compliance_status := 'not_checked';
  new.compliance_reason := null;
  new.compliance_checked_at := null;
  new.compliance_call_id := null;
  new.phone_type := null;
  return new;
end
$$;
comment on function app.reset_phone_check is 'What was said of a number is not said of the one that takes its place.';
revoke all on function app.reset_phone_check from public;
grant execute on function app.reset_phone_check to fairlead_worker, service_role;
-- Who brings a number together with what is known of it says both in the same statement. Its name comes after keep_erased, which may take
-- the number away.
create trigger reset_phone_check before update of phone on public.leads for each row
  when (new.phone is distinct from old.phone and (app.phone_key(new.phone) = app.phone_key(old.phone)) is not true
    and (new.phone is null
      or (new.compliance_status, new.compliance_reason, new.compliance_checked_at, new.compliance_call_id, new.phone_type)
        is not distinct from
        (old.compliance_status, old.compliance_reason, old.compliance_checked_at, old.compliance_call_id, old.phone_type)))
  execute function app.reset_phone_check();

-- Verdicts that an import or its undoing left beside another number, or beside none, also where such a lead was copied.
-- Where the call is gone, the times tell.
with cleared as (
  update public.leads set compliance_status = 'not_checked', compliance_reason = null, compliance_checked_at = null,
    compliance_call_id = null, phone_type = null
  where id in (
    select lead.id from public.leads as lead left join app.paid_calls as call on call.id = lead.compliance_call_id
    where (lead.compliance_status <> 'not_checked' or num_nonnulls(lead.compliance_checked_at, lead.compliance_call_id, lead.phone_type) > 0)
      and case
        when coalesce(btrim(lead.phone), '') = '' then true
        when call.subject ~ '^[0-9]{10}$' then '+1' || call.subject is distinct from app.phone_key(lead.phone)
        else call.id is null and exists (
          select from app.import_updates as filled join app.imports as import on import.id = filled.import_id
          where filled.lead_id = lead.id and filled.after ->> 'phone' = lead.phone
            and coalesce(import.finished_at, now()) > coalesce(lead.compliance_checked_at, '-infinity'))
      end)
  returning list_id, phone
)
update public.lists set compliance_checked = false
where compliance_checked and id in (select list_id from cleared where coalesce(btrim(phone), '') <> '');
