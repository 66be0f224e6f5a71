-- Who did what. Lines go when their time is over and not before, and a million of them are found quickly.

create table app.audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor_id uuid,
  actor_email text,
  action text not null,
  target text,
  details jsonb not null default '{}',
  ip inet,
  request_id text
);
-- A page is read from one line on, newest first. Filters are what a target or an address begins with, and groups of actions.
create index audit_log_at_id_idx on app.audit_log (at desc, id desc);
create index audit_log_actor_id_idx on app.audit_log (actor_id, at desc);
create index audit_log_action_idx on app.audit_log (action, at desc, id desc);
create index audit_log_target_idx on app.audit_log (lower(target) text_pattern_ops);
create index audit_log_actor_email_idx on app.audit_log (lower(actor_email) text_pattern_ops);

create function app.keep_audit_log() returns trigger language plpgsql set search_path = '' as $$
begin
  if tg_op = 'DELETE' and old.at < now() - (case old.action when 'access.refused' then 90 else 400 end) * interval '24 hours' then
    return old;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end
$$;
comment on function app.keep_audit_log is
  'Deleting is allowed by age alone, so that only the daily sweep has anything to do here. A refusal goes sooner: it may hold the '
  'address of someone who never came in. Both terms stand in contract/retention.ts too.';
create trigger append_only before update or delete on app.audit_log
  for each row execute function app.keep_audit_log();

create function app.refuse_change() returns trigger language plpgsql set search_path = '' as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end
$$;
create trigger append_only_whole before truncate on app.audit_log
  for each statement execute function app.refuse_change();

alter table app.audit_log enable row level security;
alter table app.audit_log force row level security;
create policy server on app.audit_log to service_role, fairlead_worker using (true) with check (true);
grant select, insert, update, delete on app.audit_log to service_role;
grant usage on sequence app.audit_log_id_seq to service_role;
-- The daily sweep locks lines before it deletes them, which takes the right to change one column. This one is always generated.
grant select (id, at, action), update (id), delete on app.audit_log to fairlead_worker;
revoke all on function app.keep_audit_log, app.refuse_change from public;
grant execute on function app.keep_audit_log, app.refuse_change to service_role;
