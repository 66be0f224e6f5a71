-- Places under the ODbL have a table of their own, whatever their source is called. Leads name releases, which stay as they are.
with moved as (
  delete from app.open_places as place using app.open_releases as release
  where release.id = place.release_id and release.license ~* '^\s*(odbl|open data(base| commons open database) license)'
  returning place.*
)
insert into app.open_street_map_places (
  source, source_id, release_id, name, categories, phone, website, email, address, region, latitude, longitude, confidence, closed,
  closed_on, terms, added_by, changed_by, gone_by, gone_on)
select source, source_id, release_id, name, categories, phone, website, email, address, region, latitude, longitude, confidence, closed,
  closed_on, terms, added_by, changed_by, gone_by, gone_on
from moved
on conflict do nothing;
comment on table app.open_places is 'Places by source and its id. Those under the ODbL have a table of their own, as their license asks.';
comment on table app.open_street_map_places is
  'Places under the ODbL: of OpenStreetMap, and of other sources with that license. Never joined with those of others.';
