-- Calls that people have made, and which numbers are open on a call sheet.
-- Written by `npm run db:types` from the migrations. Do not edit.

-- Calls to numbers, kept five years (16 CFR 310.5). Caps count the calls of everyone to the numbers of one business.
create table app.calls (
  id uuid not null, -- Made by the caller’s page, so that a request that is sent twice is one call.
  phone text not null, -- As app.phone_key has it. Leads come and go; a number keeps its calls.
  sandbox boolean not null,
  user_id uuid,
  list_id uuid,
  lead_id uuid,
  verdict text not null, -- What was said of the lead when the call began. Anything but callable: it was made all the same, and is logged as such.
  called_at timestamptz not null,
  logged_at timestamptz not null default now(),
  outcome text, -- Null while it goes on, and for a call whose caller never said. Both count.
  outcome_at timestamptz,
  call_back_at timestamptz,
  note text, -- Goes with the list and with the account of the caller.
  withdrawn_at timestamptz, -- Begun by mistake: no call was made, and none is counted.
  beside text[] not null default '{}'[], -- Other numbers of the same business, as app.phone_key has them, as they were known when the call was stored. Caps count it for these too.
  constraint calls_pkey primary key (id),
  constraint calls_lead_id_fkey foreign key (lead_id) references public.leads(id) on delete set null,
  constraint calls_list_id_fkey foreign key (list_id) references public.lists(id) on delete set null,
  constraint calls_user_id_fkey foreign key (user_id) references auth.users(id) on delete set null,
  constraint calls_call_back_has_time check ((not outcome is distinct from 'call_back') = (call_back_at is not null)),
  constraint calls_note_check check (char_length(note) <= 1000),
  constraint calls_outcome_check check (outcome in ('reached', 'no_answer', 'voicemail', 'call_back', 'wrong_number', 'do_not_call')),
  constraint calls_outcome_has_time check ((outcome is null) = (outcome_at is null)),
  constraint calls_phone_check check (phone ~ '^\+\d{5,18}$'),
  constraint calls_verdict_check check (verdict in ('callable', 'not_now', 'blocked', 'review', 'unknown')),
  constraint calls_withdrawn_has_no_outcome check (withdrawn_at is null or outcome is null)
);
create index calls_called_at_idx on app.calls (called_at);
create index calls_lead_id_idx on app.calls (lead_id);
create index calls_list_id_idx on app.calls (list_id, phone, called_at desc);
create index calls_phone_idx on app.calls (phone, called_at desc);
create index calls_refused_idx on app.calls (phone) where (outcome = 'do_not_call');
create index calls_user_id_idx on app.calls (user_id, called_at);
alter table app.calls enable row level security;
alter table app.calls force row level security;
create policy server on app.calls to fairlead_worker, service_role
  using (true)
  with check (true);
grant select, delete on app.calls to fairlead_worker;
grant select, insert, update, delete on app.calls to service_role;
create trigger keep_calls before delete or update on app.calls for each row execute function app.keep_calls();
create trigger keep_calls_whole before truncate on app.calls for each statement execute function app.refuse_change();

-- Numbers that are open on a call sheet: no other sheet hands them out meanwhile.
create table app.call_leases (
  phone text not null,
  sandbox boolean not null,
  lead_id uuid not null,
  user_id uuid not null,
  session uuid not null, -- One open call sheet: a tab of a browser.
  expires_at timestamptz not null,
  constraint call_leases_pkey primary key (phone, sandbox),
  constraint call_leases_lead_id_fkey foreign key (lead_id) references public.leads(id) on delete cascade,
  constraint call_leases_user_id_fkey foreign key (user_id) references auth.users(id) on delete cascade
);
create index call_leases_lead_id_idx on app.call_leases (lead_id);
create index call_leases_session_idx on app.call_leases (session);
create index call_leases_user_id_idx on app.call_leases (user_id);
alter table app.call_leases enable row level security;
alter table app.call_leases force row level security;
create policy server on app.call_leases to fairlead_worker, service_role
  using (true)
  with check (true);
grant select, delete on app.call_leases to fairlead_worker;
grant select, insert, update, delete on app.call_leases to service_role;

-- The one clock by which calls are judged and logged, whichever process asks.
-- May be called by: fairlead_worker, service_role.
create function app.call_clock()
 returns timestamptz
 language sql
 set search_path to ''
as $function$
  select date_trunc('milliseconds', clock_timestamp())
$function$;

-- When numbers were called between two moments, in ms since 1970, each call also for the other numbers of its business: those
-- that were known when it was stored, and those that leads show by now, as app.numbers_beside finds them.
-- May be called by: service_role.
create function app.counted_calls(since timestamptz, until timestamptz)
 returns table(number text, sandbox boolean, calls double precision[])
 language sql
 stable ROWS 100
 set search_path to ''
as $function$
  with call as materialized (
    select call.phone, call.beside, call.sandbox, array_agg((extract(epoch from call.called_at) * 1000)::double precision) as times
    from app.calls as call
    where call.withdrawn_at is null and call.called_at > since and call.called_at <= until
    group by call.phone, call.beside, call.sandbox
  ), called as materialized (
    select call.sandbox, array_agg(distinct call.phone) as numbers from call group by call.sandbox
  ), counted as (
    select known.number, call.sandbox, call.phone, call.beside, call.times
    from call cross join lateral unnest(call.phone || call.beside) as known (number)
    union
    select found.beside, call.sandbox, call.phone, call.beside, call.times
    from called cross join lateral app.each_beside(called.numbers, called.sandbox, true) as found
      join call on call.phone = found.number and call.sandbox = called.sandbox
  )
  select counted.number, counted.sandbox, array_agg(time.at)
  from counted cross join lateral unnest(counted.times) as time (at)
  group by counted.number, counted.sandbox
$function$;

-- Other numbers of the businesses that each of some numbers belongs to, as app.numbers_beside finds them for one: all at once, in
-- a tenth of the time.
-- May be called by: fairlead_worker, service_role.
create function app.each_beside(numbers text[], in_sandbox boolean, by_email boolean)
 returns table(number text, beside text)
 language sql
 stable ROWS 100
 set search_path to ''
 set enable_seqscan to 'off'
 set enable_indexscan to 'off'
as $function$
  with own as materialized (
    select called.number, lead.place_id, lead.open_id, lead.business_name, lead.website, lead.email,
      substring(lead.address from '(\d{5})(?:-\d{4})?\D*$') as zip
    from unnest(numbers) as called (number) cross join lateral (
      -- A switchboard may be the number of thousands.
      select lead.* from public.leads as lead
        join public.lists as list on list.id = lead.list_id and coalesce(list.sandbox, false) = in_sandbox
      where lead.contact_keys operator(pg_catalog.@>) array['phone:' || called.number]
      order by lead.created_at desc limit 1000
    ) as lead
  ), wanted as materialized (
    select distinct own.number, own.place_id, own.open_id, own.zip, one.how, one.keys
    from own cross join lateral (values
      ('place', array['business:' || own.place_id]),
      ('email', array['email:' || app.email_key(own.email)]),
      ('name', array['company:' || app.company_key(own.business_name), 'domain:' || app.host_key(own.website)])
    ) as one (how, keys)
    where array_position(one.keys, null) is null and (by_email or one.how <> 'email')
  )
  select distinct wanted.number, substr(other.contact_keys[1], 7)
  from wanted join public.leads as other on other.contact_keys operator(pg_catalog.@>) wanted.keys
    join public.lists as list on list.id = other.list_id and coalesce(list.sandbox, false) = in_sandbox
  where starts_with(other.contact_keys[1], 'phone:') and other.contact_keys[1] <> 'phone:' || wanted.number
    -- Two places are two businesses, though they are of one chain.
    and (wanted.how = 'place' or not (coalesce(wanted.place_id <> other.place_id, false) or coalesce(wanted.open_id <> other.open_id, false)))
    and (wanted.how <> 'name' or coalesce(wanted.zip = substring(other.address from '(\d{5})(?:-\d{4})?\D*$'), true))
$function$;

-- Number, time and verdict never change. What someone wrote about a person goes with the list or the account. Five years stand in
-- contract/work/retention.ts too.
-- May be called by: service_role.
create function app.keep_calls()
 returns trigger
 language plpgsql
 set search_path to ''
as $function$
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
$function$;

-- Other numbers of the businesses that a number belongs to: those of the same place, of the same name and website in one ZIP
-- code, or of the same email address.
-- May be called by: service_role.
create function app.numbers_beside(number text, in_sandbox boolean, by_email boolean)
 returns text[]
 language sql
 stable
 set search_path to ''
 set enable_seqscan to 'off'
 set enable_indexscan to 'off'
as $function$
  -- A switchboard may be the number of thousands.
  with own as materialized (
    select lead.place_id, lead.open_id, lead.business_name, lead.website, lead.email,
      substring(lead.address from '(\d{5})(?:-\d{4})?\D*$') as zip
    from public.leads as lead join public.lists as list on list.id = lead.list_id and coalesce(list.sandbox, false) = in_sandbox
    where lead.contact_keys operator(pg_catalog.@>) array['phone:' || number]
    order by lead.created_at desc limit 50
  ), wanted as materialized (
    select distinct own.place_id, own.open_id, own.zip, one.how, one.keys
    from own cross join lateral (values
      ('place', array['business:' || own.place_id]),
      ('email', array['email:' || app.email_key(own.email)]),
      ('name', array['company:' || app.company_key(own.business_name), 'domain:' || app.host_key(own.website)])
    ) as one (how, keys)
    where array_position(one.keys, null) is null and (by_email or one.how <> 'email')
  )
  select array(select distinct substr(other.contact_keys[1], 7)
  from wanted join public.leads as other on other.contact_keys operator(pg_catalog.@>) wanted.keys
    join public.lists as list on list.id = other.list_id and coalesce(list.sandbox, false) = in_sandbox
  where starts_with(other.contact_keys[1], 'phone:') and other.contact_keys[1] <> 'phone:' || number
    -- Two places are two businesses, though they are of one chain.
    and (wanted.how = 'place' or not (coalesce(wanted.place_id <> other.place_id, false) or coalesce(wanted.open_id <> other.open_id, false)))
    and (wanted.how <> 'name' or coalesce(wanted.zip = substring(other.address from '(\d{5})(?:-\d{4})?\D*$'), true))
  order by 1 limit 100)
$function$;
