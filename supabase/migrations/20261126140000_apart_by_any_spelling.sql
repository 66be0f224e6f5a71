-- Places under the ODbL have a table of their own, however the license is spelt: "odc-odbl", or a link to its text.
with moved as (
  delete from app.open_places as place using app.open_releases as release
  where release.id = place.release_id
    and release.license ~* '(?<![a-z])odbl|open[^a-z0-9]*data[^a-z0-9]*base[^a-z0-9]*licen[cs]e|openstreetmap'
  returning place.*
)
insert into app.open_street_map_places as held (
  source, source_id, release_id, name, categories, phone, website, email, address, region, latitude, longitude, confidence, closed,
  closed_on, terms, added_by, changed_by, gone_by, gone_on)
select source, source_id, release_id, name, categories, phone, website, email, address, region, latitude, longitude, confidence, closed,
  closed_on, terms, added_by, changed_by, gone_by, gone_on
from moved
-- A place that was gone under an older spelling is back.
on conflict (source, source_id) do update set
  release_id = excluded.release_id, name = excluded.name, categories = excluded.categories, phone = excluded.phone,
  website = excluded.website, email = excluded.email, address = excluded.address, region = excluded.region,
  latitude = excluded.latitude, longitude = excluded.longitude, confidence = excluded.confidence, closed = excluded.closed,
  closed_on = excluded.closed_on, terms = excluded.terms, added_by = excluded.added_by, changed_by = excluded.changed_by,
  gone_by = excluded.gone_by, gone_on = excluded.gone_on
  where held.gone_on is not null;
