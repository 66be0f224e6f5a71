-- The audit log: lines go when their time is over and not before, and a million of them are found quickly.

-- Deleting is allowed by age alone, so that only the daily sweep has anything to do here. A refusal goes sooner: it may hold the
-- address of somebody who never came in. Both terms stand in contract/retention.ts too.
create function app.keep_audit_log() returns trigger language plpgsql set search_path = '' as $$
begin
  if tg_op = 'DELETE' and old.at < now() - (case old.action when 'access.refused' then 90 else 400 end) * interval '24 hours' then
    return old;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end
$$;
revoke all on function app.keep_audit_log from public;
grant execute on function app.keep_audit_log to service_role;

create or replace trigger append_only before update or delete on app.audit_log
  for each row execute function app.keep_audit_log();

-- A page is read from one line on, newest first; filters are what a target or an address begins with, and groups of actions.
drop index app.audit_log_at_idx;
create index audit_log_at_id_idx on app.audit_log (at desc, id desc);
create index audit_log_action_idx on app.audit_log (action, at desc, id desc);
create index audit_log_target_idx on app.audit_log (lower(target) text_pattern_ops);
create index audit_log_actor_email_idx on app.audit_log (lower(actor_email) text_pattern_ops);
