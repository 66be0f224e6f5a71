-- Laws count calls to a person, whatever number is dialed. So a call counts for the other numbers of its business too.

alter table app.calls add column beside text[] not null default '{}';
comment on column app.calls.beside is
  'Other numbers of the same business, as app.phone_key has them, as they were known when the call was stored. Caps count it for these too.';
comment on table app.calls is
  'Calls to numbers, kept five years (16 CFR 310.5). Caps count the calls of everyone to the numbers of one business.';

create function app.numbers_beside(number text, in_sandbox boolean, by_email boolean) returns text[]
language sql stable set search_path = '' set enable_seqscan = off set enable_indexscan = off as $$
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
$$;
comment on function app.numbers_beside is
  'Other numbers of the businesses that a number belongs to: those of the same place, of the same name and website in one ZIP code, or of the same email address.';
revoke all on function app.numbers_beside from public;
grant execute on function app.numbers_beside to service_role;
