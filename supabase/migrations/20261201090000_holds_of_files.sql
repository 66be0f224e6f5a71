-- The data API names what a file says against a call, too: a lead without a hold there was blocked everywhere else.

create function app.is_told_not_to_call(phone_key text, owner uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from (
      select list_id from public.leads where app.tells_no_calls(extra) and contact_keys[1] = phone_key offset 0
    ) as told join public.lists as list on list.id = told.list_id
    where list.user_id = owner
  )
$$;
comment on function app.is_told_not_to_call is
  'Whether a file of someone says of a number, by its key, that it must not be called.';
revoke all on function app.is_told_not_to_call from public;
grant execute on function app.is_told_not_to_call to authenticated, fairlead_worker, service_role;

create or replace view public.lead_calls with (security_invoker) as
  select lead.id, lead.list_id, lead.position,
    coalesce(
      app.call_hold(lead.compliance_status, lead.compliance_checked_at, list.sandbox, lead.contact_keys),
      case when app.is_told_not_to_call(lead.contact_keys[1], list.user_id) then 'told_by_file' end
    ) as hold
  from public.leads as lead join public.lists as list on list.id = lead.list_id;
comment on view public.lead_calls is
  'For each lead what the suppression list, the last check and files of its owner hold against a call. The law, its hours and its zones are not judged here.';
