-- A number that is found after calls to another of its business is counted with them at once, and not only when someone wants to call it.

create function app.counted_calls(since timestamptz, until timestamptz)
returns table (number text, sandbox boolean, calls double precision[])
language sql stable rows 100 set search_path = '' set enable_seqscan = off set enable_indexscan = off as $$
  with call as materialized (
    select call.phone, call.beside, call.sandbox, array_agg((extract(epoch from call.called_at) * 1000)::double precision) as times
    from app.calls as call
    where call.withdrawn_at is null and call.called_at > since and call.called_at <= until
    group by call.phone, call.beside, call.sandbox
  ), called as materialized (
    select distinct call.phone, call.sandbox from call
  ), own as materialized (
    select called.phone, called.sandbox, lead.place_id, lead.open_id, lead.business_name, lead.website, lead.email,
      substring(lead.address from '(\d{5})(?:-\d{4})?\D*$') as zip
    from called cross join lateral (
      -- A switchboard may be the number of thousands.
      select lead.* from public.leads as lead
        join public.lists as list on list.id = lead.list_id and coalesce(list.sandbox, false) = called.sandbox
      where lead.contact_keys operator(pg_catalog.@>) array['phone:' || called.phone]
      order by lead.created_at desc limit 1000
    ) as lead
  ), wanted as materialized (
    select distinct own.phone, own.sandbox, own.place_id, own.open_id, own.zip, one.how, one.keys
    from own cross join lateral (values
      ('place', array['business:' || own.place_id]),
      ('email', array['email:' || app.email_key(own.email)]),
      ('name', array['company:' || app.company_key(own.business_name), 'domain:' || app.host_key(own.website)])
    ) as one (how, keys)
    where array_position(one.keys, null) is null
  ), beside as (
    select wanted.phone, wanted.sandbox, substr(other.contact_keys[1], 7) as number
    from wanted join public.leads as other on other.contact_keys operator(pg_catalog.@>) wanted.keys
      join public.lists as list on list.id = other.list_id and coalesce(list.sandbox, false) = wanted.sandbox
    where starts_with(other.contact_keys[1], 'phone:')
      -- Two places are two businesses, though they are of one chain.
      and (wanted.how = 'place'
        or not (coalesce(wanted.place_id <> other.place_id, false) or coalesce(wanted.open_id <> other.open_id, false)))
      and (wanted.how <> 'name' or coalesce(wanted.zip = substring(other.address from '(\d{5})(?:-\d{4})?\D*$'), true))
  ), counted as (
    select called.number, call.sandbox, call.phone, call.beside, call.times
    from call cross join lateral unnest(call.phone || call.beside) as called (number)
    union
    select beside.number, call.sandbox, call.phone, call.beside, call.times
    from call join beside using (phone, sandbox)
  )
  select counted.number, counted.sandbox, array_agg(time.at)
  from counted cross join lateral unnest(counted.times) as time (at)
  group by counted.number, counted.sandbox
$$;
comment on function app.counted_calls is
  'When numbers were called between two moments, in ms since 1970, each call also for the other numbers of its business: those that were known when it was stored, and those that leads show by now, as app.numbers_beside finds them.';
revoke all on function app.counted_calls from public;
grant execute on function app.counted_calls to service_role;
