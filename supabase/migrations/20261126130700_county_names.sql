-- Surveys are labeled by what their counties are: not each is called County.

update app.surveys as survey set label = named.label
from (
  select id, name || case
      when state = '22' then ' Parish'
      when state = '72' then ' Municipio'
      when state = '60' then ' District'
      when state = '69' then ' Municipality'
      when state in ('11', '66', '78') or lower(name) like '% city' and number >= '510' then ''
      when state = '02' then case
        when number in ('020', '230') then ' Municipality'
        when number in ('110', '220', '275', '282') then ' City and Borough'
        when number in ('016', '050', '070', '105', '158', '180', '198', '240', '261', '290') then ' Census Area'
        else ' Borough' end
      when number >= '510' then ' city'
      else ' County' end || ending as label
  from (
    select id, left(area ->> 'fips', 2) as state, right(area ->> 'fips', 3) as number,
      substring(label from '^(.*) County, ..$') as name, right(label, 4) as ending
    from app.surveys where area ->> 'kind' = 'county'
  ) as old
  where name is not null
) as named
where survey.id = named.id and survey.label <> named.label;
