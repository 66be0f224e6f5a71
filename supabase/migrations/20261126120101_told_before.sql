-- What Google told before this version. Values with a source of their own are not Google's.
-- A transaction of its own: what is told meanwhile is written down already, and no lock keeps anyone from signing in.
insert into app.told_values (user_id, origin, hashes)
select part.user_id, 'google', app.short_hashes(part.keys)
from (
  select list.user_id, array_agg(distinct key) as keys
  from public.leads as lead join public.lists as list on list.id = lead.list_id,
    unnest(app.told_keys(
      case when not lead.sources ? 'business_name' then lead.business_name end,
      case when not lead.sources ? 'phone' then lead.phone end,
      case when not lead.sources ? 'address' then lead.address end,
      case when not lead.sources ? 'website' then lead.website end)) as key
  group by list.user_id, lead.list_id, lead.position / 100
) as part;
