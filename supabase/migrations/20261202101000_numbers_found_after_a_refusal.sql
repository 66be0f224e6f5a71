-- Who asked on the phone not to be called is not called at a number either that is found later, also where no place is known.

create function app.each_beside(numbers text[], in_sandbox boolean, by_email boolean)
returns table (number text, beside text)
language sql stable rows 100 set search_path = '' set enable_seqscan = off set enable_indexscan = off as $$
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
$$;
comment on function app.each_beside is
  'Other numbers of the businesses that each of some numbers belongs to, as app.numbers_beside finds them for one: all at once, in a tenth of the time.';
revoke all on function app.each_beside from public;
grant execute on function app.each_beside to service_role, fairlead_worker;

create or replace function app.counted_calls(since timestamptz, until timestamptz)
returns table (number text, sandbox boolean, calls double precision[])
language sql stable rows 100 set search_path = '' as $$
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
$$;

create index calls_refused_idx on app.calls (phone) where outcome = 'do_not_call';

create function app.found_after_refusals(only_number text)
returns table (kind text, value text, asked_at timestamptz)
language sql stable rows 10 set search_path = '' set enable_seqscan = off set enable_indexscan = off as $$
  with refused as materialized (
    select call.phone, min(call.called_at) as asked_at from app.calls as call
    where call.outcome = 'do_not_call' and not call.sandbox
      and (only_number is null
        or call.phone = any(array(select other.beside from app.each_beside(array[only_number], false, false) as other)))
      and exists (select from app.suppressions as entry where entry.key = 'phone:' || call.phone)
    group by call.phone
  ), found as (
    select 'phone' as kind, other.beside as value, refused.asked_at
    from app.each_beside(array(select phone from refused), false, false) as other join refused on refused.phone = other.number
    union all
    select 'business', own.place_id, refused.asked_at
    from refused cross join lateral (
      select lead.place_id from public.leads as lead
        join public.lists as list on list.id = lead.list_id and not coalesce(list.sandbox, false)
      where lead.contact_keys operator(pg_catalog.@>) array['phone:' || refused.phone] and lead.place_id is not null limit 50
    ) as own
  ), new as materialized (
    select found.kind, found.value, app.suppression_key(found.kind, found.value) as key, min(found.asked_at) as asked_at from found
    where not exists (select from app.suppressions as entry where entry.key = found.kind || ':' || found.value)
    group by found.kind, found.value
  )
  select new.kind, new.value, new.asked_at from new
  -- An administrator has let it go.
  where new.key is not null and (only_number is null or new.value = only_number) and not exists (
    select from app.removed_suppressions as removed where removed.hash = any(app.contact_hashes(array[new.key])))
$$;
comment on function app.found_after_refusals is
  'Numbers and places of businesses that asked on the phone not to be called, which leads show only since then, with when they asked: all of them, or one number.';
revoke all on function app.found_after_refusals from public;
grant execute on function app.found_after_refusals to service_role, fairlead_worker;
grant update (asked_at, source, note) on app.suppressions to fairlead_worker;
