-- Every paid call, what it answered, what an earlier answer spared, and the sums of all this. The database keeps the sums itself: a
-- million rows are too many to add up for a page or before a call.

create table app.paid_calls (
  id uuid primary key default gen_random_uuid(),
  idempotency_key text not null unique,
  run_id uuid,
  user_id uuid not null references auth.users on delete cascade,
  provider text not null check (provider in ('google_places', 'hunter_io', 'searchbug')),
  operation text not null check (operation in ('locate', 'search_page', 'domain_search', 'phone_scrub')),
  subject text not null,
  batch_id uuid,
  state text not null default 'planned' check (state in ('planned', 'sent', 'answered', 'failed', 'uncertain')),
  estimate_micros bigint not null check (estimate_micros >= 0),
  cost_micros bigint not null default 0 check (cost_micros >= 0),
  maybe_charged boolean not null default false,
  attempts integer not null default 0,
  error_kind text,
  error_message text,
  sandbox boolean not null,
  planned_at timestamptz not null default now(),
  sent_at timestamptz,
  settled_at timestamptz,
  settled_by_hand_at timestamptz,
  unique (id, sandbox),
  constraint paid_calls_run_id_fkey foreign key (run_id, sandbox) references app.runs (id, sandbox) on delete cascade
);
create unique index paid_calls_one_in_flight on app.paid_calls (user_id, provider, operation, subject, sandbox)
  where state in ('planned', 'sent');
create index paid_calls_uncertain_idx on app.paid_calls (user_id, provider, operation, subject) where state = 'uncertain';
create index paid_calls_settled_by_hand_idx on app.paid_calls (user_id, provider, operation, subject)
  where settled_by_hand_at is not null;
create index paid_calls_run_id_planned_at_idx on app.paid_calls (run_id, planned_at desc, id desc);
create index paid_calls_user_id_planned_at_idx on app.paid_calls (user_id, planned_at desc);
create index paid_calls_user_id_sent_idx on app.paid_calls (user_id, sandbox, (coalesce(sent_at, planned_at)), id)
  where state <> 'planned' or cost_micros > 0;
-- Google's coordinates leave the ledger after 30 days.
create index paid_calls_coordinates_idx on app.paid_calls (settled_at)
  where operation = 'search_page' and subject ~ ' m of [-0-9.e]+,[-0-9.e]+, page ';
comment on column app.paid_calls.cost_micros is
  'What is booked: 0 until sent, the estimate while sent or uncertain, the provider''s price once answered.';
comment on column app.paid_calls.maybe_charged is
  'An earlier try of this call may have been charged. Until it is answered it stays booked, also while it waits to be sent again.';

create table app.answers (
  user_id uuid not null references auth.users on delete cascade,
  provider text not null check (provider in ('google_places', 'hunter_io', 'searchbug')),
  operation text not null check (operation in ('locate', 'search_page', 'place', 'domain_search', 'phone_scrub')),
  subject text not null,
  sandbox boolean not null,
  answer jsonb not null,
  paid_call_id uuid not null,
  answered_at timestamptz not null default now(),
  expires_at timestamptz,
  primary key (user_id, provider, operation, subject, sandbox),
  constraint answers_paid_call_id_fkey foreign key (paid_call_id, sandbox) references app.paid_calls (id, sandbox) on delete cascade
);
create index answers_expires_at_idx on app.answers (expires_at) where expires_at is not null;
create index answers_paid_call_id_idx on app.answers (paid_call_id);

create table app.recalls (
  run_id uuid not null,
  operation text not null check (operation in ('locate', 'search_page', 'domain_search', 'phone_scrub')),
  subject text not null,
  user_id uuid not null references auth.users on delete cascade,
  provider text not null check (provider in ('google_places', 'hunter_io', 'searchbug')),
  sandbox boolean not null,
  paid_call_id uuid not null,
  saved_micros bigint not null check (saved_micros >= 0),
  recalled_at timestamptz not null default now(),
  primary key (run_id, operation, subject),
  constraint recalls_run_id_fkey foreign key (run_id, sandbox) references app.runs (id, sandbox) on delete cascade,
  constraint recalls_paid_call_id_fkey foreign key (paid_call_id, sandbox) references app.paid_calls (id, sandbox) on delete cascade
);
comment on table app.recalls is 'Answers that a run used again instead of paying for them.';
create index recalls_paid_call_id_idx on app.recalls (paid_call_id);
create index recalls_user_id_idx on app.recalls (user_id);
create index recalls_coordinates_idx on app.recalls (recalled_at)
  where operation = 'search_page' and subject ~ ' m of [-0-9.e]+,[-0-9.e]+, page ';
comment on column app.recalls.paid_call_id is 'The call that brought the answer.';
comment on column app.recalls.saved_micros is 'What that call had cost.';

create table app.ledger_days (
  run_id uuid not null references app.runs on delete cascade,
  day date not null,
  operation text not null check (operation in ('locate', 'search_page', 'domain_search', 'phone_scrub')),
  user_id uuid not null references auth.users on delete cascade,
  provider text not null check (provider in ('google_places', 'hunter_io', 'searchbug')),
  sandbox boolean not null,
  sent integer not null default 0,
  answered integer not null default 0,
  failed integer not null default 0,
  uncertain integer not null default 0,
  cost_micros bigint not null default 0,
  uncertain_micros bigint not null default 0,
  recalled integer not null default 0,
  saved_micros bigint not null default 0,
  primary key (run_id, day, operation)
);
comment on table app.ledger_days is 'One row for each run, day (UTC, when a call was sent) and operation.';
create index ledger_days_user_id_day_idx on app.ledger_days (user_id, day);
comment on column app.ledger_days.cost_micros is 'Booked. Calls that are sent or uncertain count at their estimate.';

create table app.usage_days (
  user_id uuid not null references auth.users on delete cascade,
  sandbox boolean not null,
  day date not null,
  provider text not null check (provider in ('google_places', 'hunter_io', 'searchbug')),
  begun date not null,
  calls integer not null default 0,
  failed integer not null default 0,
  uncertain integer not null default 0,
  cost_micros bigint not null default 0,
  uncertain_micros bigint not null default 0,
  recalled integer not null default 0,
  saved_micros bigint not null default 0,
  primary key (user_id, sandbox, day, provider, begun)
);
comment on table app.usage_days is
  'What the usage page reads, however many runs there were: one row for each user, day (UTC, when a call was sent), provider, and '
  'day on which its run began.';

create table app.usage_lists (
  user_id uuid not null references auth.users on delete cascade,
  sandbox boolean not null,
  day date not null,
  list_key uuid not null,
  list_name text not null,
  calls integer not null default 0,
  failed integer not null default 0,
  uncertain integer not null default 0,
  cost_micros bigint not null default 0,
  uncertain_micros bigint not null default 0,
  recalled integer not null default 0,
  saved_micros bigint not null default 0,
  primary key (user_id, sandbox, day, list_key)
);
comment on table app.usage_lists is 'One row for each user, day and list, also a list that is gone.';
comment on column app.usage_lists.list_name is 'What it was called when its run began.';

create type app.ledger_change as (
  run_id uuid, day date, operation text, user_id uuid, provider text, sandbox boolean, sent integer, answered integer,
  failed integer, uncertain integer, cost_micros bigint, uncertain_micros bigint, recalled integer, saved_micros bigint
);

create function app.add_to_ledger_days(changes app.ledger_change[]) returns void
language plpgsql set search_path = '' as $$
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
$$;
comment on function app.add_to_ledger_days is
  'Adds changes of the ledger to its sums. Always in the same order of tables and rows, so that two of these cannot block each '
  'other. A call that is answered for what was booked changes none of the sums that all runs of a user share.';

create function app.ledger_change_of(c app.paid_calls, factor integer) returns app.ledger_change
language sql immutable set search_path = '' as $$
  select row(c.run_id, (coalesce(c.sent_at, c.planned_at) at time zone 'UTC')::date, c.operation, c.user_id, c.provider,
    c.sandbox, factor * (c.state = 'sent')::integer, factor * (c.state = 'answered')::integer,
    factor * (c.state = 'failed' and c.sent_at is not null)::integer, factor * (c.state = 'uncertain')::integer,
    factor * c.cost_micros, factor * case when c.state = 'uncertain' then c.cost_micros else 0 end, 0, 0)::app.ledger_change
$$;
comment on function app.ledger_change_of is
  'What one call counts for, `factor` times. One that was planned and never sent has not failed.';

create function app.sum_new_calls() returns trigger language plpgsql set search_path = '' as $$
begin
  perform app.add_to_ledger_days(array(
    select app.ledger_change_of(c, 1) from new_calls as c where (state <> 'planned' or cost_micros > 0) and run_id is not null));
  return null;
end
$$;
create trigger sum_new_calls after insert on app.paid_calls referencing new table as new_calls
  for each statement execute function app.sum_new_calls();

create function app.sum_changed_calls() returns trigger language plpgsql set search_path = '' as $$
begin
  perform app.add_to_ledger_days(array(
    select app.ledger_change_of(c, 1) from new_calls as c where (state <> 'planned' or cost_micros > 0) and run_id is not null
    union all
    select app.ledger_change_of(c, -1) from old_calls as c where (state <> 'planned' or cost_micros > 0) and run_id is not null));
  return null;
end
$$;
create trigger sum_changed_calls after update on app.paid_calls referencing old table as old_calls new table as new_calls
  for each statement execute function app.sum_changed_calls();

create function app.sum_recalls() returns trigger language plpgsql set search_path = '' as $$
begin
  perform app.add_to_ledger_days(array(
    select row(run_id, (recalled_at at time zone 'UTC')::date, operation, user_id, provider, sandbox,
      0, 0, 0, 0, 0, 0, 1, saved_micros)::app.ledger_change
    from new_recalls));
  return null;
end
$$;
create trigger sum_recalls after insert on app.recalls referencing new table as new_recalls
  for each statement execute function app.sum_recalls();

create function app.key_is_of_other_kind(call_ids uuid[]) returns boolean language plpgsql stable set search_path = '' as $$
begin
  return exists (
    select from app.paid_calls as call join app.provider_keys as key on key.user_id = call.user_id and key.provider = call.provider
    where call.id = any (call_ids) and key.sandbox <> call.sandbox
  );
end
$$;
comment on function app.key_is_of_other_kind is
  'Whether the key that is stored now is a sandbox key and the calls are real, or the other way around.';

create function app.book_sent(run_id uuid, owner uuid, call_ids uuid[], batch_id uuid)
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
comment on function app.book_sent is
  'Books planned calls as sent, right before they are. Returns those that it booked: none unless `owner` holds the run, no one '
  'has cancelled it, and the stored key is of the run''s kind; and in the order given only as many as the run''s bound has room '
  'for. A call that is booked already needs no room. The lock on the run makes the sum exact.';

create trigger keep_kind before update of sandbox on app.paid_calls
  for each row when (new.sandbox <> old.sandbox) execute function app.keep_kind();

-- Each lead's values name the calls that they came from.
alter table public.leads
  add foreign key (place_call_id) references app.paid_calls on delete set null,
  add foreign key (email_call_id) references app.paid_calls on delete set null,
  add foreign key (owner_call_id) references app.paid_calls on delete set null,
  add foreign key (compliance_call_id) references app.paid_calls on delete set null;
create index leads_place_call_id_idx on public.leads (place_call_id) where place_call_id is not null;
create index leads_email_call_id_idx on public.leads (email_call_id) where email_call_id is not null;
create index leads_owner_call_id_idx on public.leads (owner_call_id) where owner_call_id is not null;
create index leads_compliance_call_id_idx on public.leads (compliance_call_id) where compliance_call_id is not null;

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
comment on function app.keep_leads_to_kind is
  'Those calls are of the list''s kind. Neither ever changes, so one look when they are written is enough.';
create trigger keep_leads_to_kind after
  insert or update of list_id, place_call_id, email_call_id, owner_call_id, compliance_call_id on public.leads
  for each row when (coalesce(new.place_call_id, new.email_call_id, new.owner_call_id, new.compliance_call_id) is not null)
  execute function app.keep_leads_to_kind();

do $$
declare
  one text;
begin
  foreach one in array array['paid_calls', 'answers', 'recalls', 'ledger_days', 'usage_days', 'usage_lists'] loop
    execute format('alter table app.%I enable row level security', one);
    execute format('alter table app.%I force row level security', one);
    execute format('create policy server on app.%I to service_role, fairlead_worker using (true) with check (true)', one);
    execute format('grant select, insert, update, delete on app.%I to service_role', one);
  end loop;
end
$$;
grant select, insert, update, delete on app.answers, app.paid_calls to fairlead_worker;
-- What was planned and not needed goes. What was sent is the ledger.
create policy keeps_the_ledger on app.paid_calls as restrictive for delete to fairlead_worker using (state = 'planned');
grant select, insert, update on app.recalls, app.ledger_days, app.usage_days, app.usage_lists to fairlead_worker;

revoke all on function app.add_to_ledger_days, app.ledger_change_of, app.sum_new_calls, app.sum_changed_calls, app.sum_recalls,
  app.key_is_of_other_kind, app.book_sent, app.keep_leads_to_kind from public;
grant execute on function app.add_to_ledger_days, app.ledger_change_of, app.key_is_of_other_kind, app.book_sent, app.keep_leads_to_kind
  to service_role, fairlead_worker;
grant execute on function app.sum_new_calls, app.sum_changed_calls, app.sum_recalls to service_role;
