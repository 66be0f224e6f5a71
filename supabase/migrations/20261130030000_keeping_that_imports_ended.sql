-- Which lists an import ended the keeping of, so that taking it back restores that.

alter table app.imports add column ended_keeping uuid[] not null default '{}';
comment on column app.imports.ended_keeping is
  'Lists that were kept for good until this import brought a value of Google.';
