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
  constraint paid_calls_operation_check check (operation in ('locate', 'search_page', 'area_count', 'domain_search', 'phone_scrub')),
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
create trigger keep_kind before update of sandbox on app.paid_calls for each row when (new.sandbox <> old.sandbox) execute function app.keep_kind();
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
  constraint answers_operation_check check (operation in ('locate', 'search_page', 'area_count', 'place', 'domain_search', 'phone_scrub')),
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
  constraint recalls_operation_check check (operation in ('locate', 'search_page', 'area_count', 'domain_search', 'phone_scrub')),
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
  constraint ledger_days_operation_check check (operation in ('locate', 'search_page', 'area_count', 'domain_search', 'phone_scrub')),
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

-- Books planned calls as sent, right before they are. Returns those that it booked: none unless `owner` holds the run, no one has
-- cancelled it, and the stored key is of the run's kind; and in the order given only as many as the run's bound has room for. A
-- call that is booked already needs no room. The lock on the run makes the sum exact.
-- May be called by: fairlead_worker, service_role.
create function app.book_sent(run_id uuid, owner uuid, call_ids uuid[], batch_id uuid)
 returns table(id uuid, subject text)
 language plpgsql
 set search_path to ''
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

-- May be called by: service_role.
create function app.sum_new_calls()
 returns trigger
 language plpgsql
 set search_path to ''
as $function$
begin
  perform app.add_to_ledger_days(array(
    select app.ledger_change_of(c, 1) from new_calls as c where (state <> 'planned' or cost_micros > 0) and run_id is not null));
  return null;
end
$function$;

-- May be called by: service_role.
create function app.sum_changed_calls()
 returns trigger
 language plpgsql
 set search_path to ''
as $function$
begin
  perform app.add_to_ledger_days(array(
    select app.ledger_change_of(c, 1) from new_calls as c where (state <> 'planned' or cost_micros > 0) and run_id is not null
    union all
    select app.ledger_change_of(c, -1) from old_calls as c where (state <> 'planned' or cost_micros > 0) and run_id is not null));
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
