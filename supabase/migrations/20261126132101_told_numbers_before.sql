-- Foreign numbers that were told before this version, as far as leads still hold them. Of leads that are gone, hashes alone are left.
with lead as materialized (
  select list.user_id, key, right(key, 2) as part
  from public.leads as lead join public.lists as list on list.id = lead.list_id, unnest(app.value_keys(lead.phone)) as key
  where app.national_of(app.phone_key(lead.phone)) is not null
),
told as materialized (
  select own.user_id, own.part, one.key, one.origin
  from (select user_id, part, array_agg(distinct key) as keys from lead where key like 'phone:+%' group by user_id, part) as own,
    app.key_origins(own.user_id, own.keys) as one
)
insert into app.told_values (user_id, origin, hashes)
select user_id, origin, app.short_hashes(array_agg(distinct 'phone:0' || ltrim(app.national_of(substr(key, 7)), '0')))
from told group by user_id, origin, part;
