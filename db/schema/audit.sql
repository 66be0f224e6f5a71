-- Who did what, kept for 400 days, and refusals for 90.
-- Written by `npm run db:types` from the migrations. Do not edit.

create table app.audit_log (
  id bigint not null generated always as identity,
  at timestamptz not null default now(),
  actor_id uuid,
  actor_email text,
  action text not null,
  target text,
  details jsonb not null default '{}',
  ip inet,
  request_id text,
  constraint audit_log_pkey primary key (id)
);
create index audit_log_action_idx on app.audit_log (action, at desc, id desc);
create index audit_log_actor_email_idx on app.audit_log (lower(actor_email) text_pattern_ops);
create index audit_log_actor_id_idx on app.audit_log (actor_id, at desc);
create index audit_log_at_id_idx on app.audit_log (at desc, id desc);
create index audit_log_target_idx on app.audit_log (lower(target) text_pattern_ops);
alter table app.audit_log enable row level security;
alter table app.audit_log force row level security;
create policy server on app.audit_log to fairlead_worker, service_role
  using (true)
  with check (true);
grant select (id, at, action), update (id), delete on app.audit_log to fairlead_worker;
grant select, insert, update, delete on app.audit_log to service_role;
create trigger append_only before delete or update on app.audit_log for each row execute function app.keep_audit_log();
create trigger append_only_whole before truncate on app.audit_log for each statement execute function app.refuse_change();

-- Deleting is allowed by age alone, so that only the daily sweep has anything to do here. A refusal goes sooner: it may hold the
-- address of someone who never came in. Both terms stand in contract/retention.ts too.
-- May be called by: service_role.
create function app.keep_audit_log()
 returns trigger
 language plpgsql
 set search_path to ''
as $function$
begin
  if tg_op = 'DELETE' and old.at < now() - (case old.action when 'access.refused' then 90 else 400 end) * interval '24 hours' then
    return old;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end
$function$;

-- May be called by: service_role.
create function app.refuse_change()
 returns trigger
 language plpgsql
 set search_path to ''
as $function$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end
$function$;
