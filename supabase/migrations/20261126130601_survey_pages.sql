-- A leaf knows on which page each place came, and how often its pages were bought without bringing all of them.

alter table app.survey_tiles
  add column id_pages smallint[] not null default '{}',
  add column lacked smallint not null default 0,
  add column lacked_by uuid;
comment on column app.survey_tiles.id_pages is 'The page of each of the ids. Where there is none, any page may bring it.';
comment on column app.survey_tiles.lacked is 'How often all its pages were bought, and did not bring all of its places.';
comment on column app.survey_tiles.lacked_by is 'The run that bought them last. Taken up again, it buys nothing again.';
