-- What was told before this version, as far as leads still hold it. Of leads that are gone, hashes alone are left.
-- What open data says counts where its name has left in an export: then the name is written down already.
with lead as materialized (
  select list.user_id, lead.list_id, lead.position / 100 as part, given.origin, app.name_key(lead.business_name) as name, key
  from public.leads as lead join public.lists as list on list.id = lead.list_id,
    regexp_replace(coalesce(lead.sources ->> 'address', 'google'), '^file:', '') as given (origin),
    unnest(app.name_at_keys(lead.business_name, lead.address)) as key
  where given.origin ~ '^(google|open:[0-9]{1,9})$'
),
named as materialized (
  select own.user_id, told.key as name, told.origin
  from (select user_id, array_agg(distinct name) as names from lead where origin <> 'google' group by user_id) as own,
    app.key_origins(own.user_id, own.names) as told
),
part as (
  select user_id, origin, array_agg(distinct key) as keys from lead
  where origin = 'google' or (user_id, origin, name) in (select user_id, origin, name from named)
  group by user_id, origin, list_id, part
)
insert into app.told_values (user_id, origin, hashes)
select user_id, origin, app.short_hashes(keys) from part;
