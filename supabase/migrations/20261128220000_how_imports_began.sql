alter table app.imports add column retention text;
alter table app.imports add constraint imports_retention_check check (retention in ('archive', 'keep')) not valid;
alter table app.imports validate constraint imports_retention_check;
comment on column app.imports.retention is 'How long its list was to be kept when it was started. The list itself says how long it is.';
