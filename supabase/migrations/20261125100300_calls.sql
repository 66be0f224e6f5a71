-- Calls that people have made: what caps count, and what a call sheet goes by. An entry outlives its lead, list and caller.

create function app.call_clock() returns timestamptz language sql volatile set search_path = '' as $$
  select date_trunc('milliseconds', clock_timestamp())
$$;
comment on function app.call_clock is 'The one clock by which calls are judged and logged, whichever process asks.';

create table app.calls (
  id uuid primary key,
  phone text not null check (phone ~ '^\+\d{5,18}$'),
  sandbox boolean not null,
  user_id uuid references auth.users on delete set null,
  list_id uuid references public.lists on delete set null,
  lead_id uuid references public.leads on delete set null,
  verdict text not null check (verdict in ('callable', 'not_now', 'blocked', 'review', 'unknown')),
  called_at timestamptz not null,
  logged_at timestamptz not null default now(),
  outcome text check (outcome in ('reached', 'no_answer', 'voicemail', 'call_back', 'wrong_number', 'do_not_call')),
  outcome_at timestamptz,
  call_back_at timestamptz,
  note text check (char_length(note) <= 1000),
  withdrawn_at timestamptz,
  constraint calls_outcome_has_time check ((outcome is null) = (outcome_at is null)),
  constraint calls_call_back_has_time check ((outcome is not distinct from 'call_back') = (call_back_at is not null)),
  constraint calls_withdrawn_has_no_outcome check (withdrawn_at is null or outcome is null)
);
comment on table app.calls is 'Calls to numbers, kept five years (16 CFR 310.5). Caps count the calls of everyone to one number.';
comment on column app.calls.id is 'Made by the caller’s page, so that a request that is sent twice is one call.';
comment on column app.calls.phone is 'As app.phone_key has it. Leads come and go; a number keeps its calls.';
comment on column app.calls.verdict is 'What was said of the lead when the call began. Anything but callable: it was made all the same, and is logged as such.';
comment on column app.calls.outcome is 'Null while it goes on, and for a call whose caller never said. Both count.';
comment on column app.calls.note is 'Goes with the list and with the account of the caller.';
comment on column app.calls.withdrawn_at is 'Begun by mistake: no call was made, and none is counted.';
create index calls_phone_idx on app.calls (phone, called_at desc);
create index calls_called_at_idx on app.calls (called_at);
create index calls_list_id_idx on app.calls (list_id, phone, called_at desc);
create index calls_lead_id_idx on app.calls (lead_id);
create index calls_user_id_idx on app.calls (user_id, called_at);

create function app.keep_calls() returns trigger language plpgsql set search_path = '' as $$
begin
  if tg_op = 'DELETE' then
    if old.called_at < now() - interval '5 years' then
      return old;
    end if;
  elsif (new.id, new.phone, new.sandbox, new.verdict, new.called_at, new.logged_at)
    is not distinct from (old.id, old.phone, old.sandbox, old.verdict, old.called_at, old.logged_at) then
    if new.list_id is null or new.user_id is null then
      new.note := null;
    end if;
    return new;
  end if;
  raise exception 'A logged call stays as it was, for five years' using errcode = 'insufficient_privilege';
end
$$;
comment on function app.keep_calls is
  'Number, time and verdict never change. What someone wrote about a person goes with the list or the account. Five years stand in contract/work/retention.ts too.';
create trigger keep_calls before update or delete on app.calls for each row execute function app.keep_calls();
create trigger keep_calls_whole before truncate on app.calls for each statement execute function app.refuse_change();

create table app.call_leases (
  phone text not null,
  sandbox boolean not null,
  lead_id uuid not null references public.leads on delete cascade,
  user_id uuid not null references auth.users on delete cascade,
  session uuid not null,
  expires_at timestamptz not null,
  primary key (phone, sandbox)
);
comment on table app.call_leases is 'Numbers that are open on a call sheet: no other sheet hands them out meanwhile.';
comment on column app.call_leases.session is 'One open call sheet: a tab of a browser.';
create index call_leases_lead_id_idx on app.call_leases (lead_id);
create index call_leases_user_id_idx on app.call_leases (user_id);
create index call_leases_session_idx on app.call_leases (session);

do $$
declare
  one text;
begin
  foreach one in array array['app.calls', 'app.call_leases'] loop
    execute format('alter table %s enable row level security', one);
    execute format('alter table %s force row level security', one);
    execute format('create policy server on %s to fairlead_worker, service_role using (true) with check (true)', one);
  end loop;
end
$$;
-- Deleting takes age, which the trigger asks for: only the daily sweep has anything to do here, also in a process that answers too.
grant select, insert, update, delete on app.calls to service_role;
grant select, delete on app.calls to fairlead_worker;
grant select, insert, update, delete on app.call_leases to service_role;
grant select, delete on app.call_leases to fairlead_worker;
revoke all on function app.call_clock, app.keep_calls from public;
grant execute on function app.call_clock to fairlead_worker, service_role;
grant execute on function app.keep_calls to service_role;
