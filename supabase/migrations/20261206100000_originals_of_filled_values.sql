-- What a file says of a value that it filled in, where that was read differently. Leads keep it only of the file that brought them.

alter table app.import_updates add column originals jsonb not null default '{}';
