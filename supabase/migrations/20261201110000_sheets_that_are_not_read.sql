-- Of a spreadsheet one sheet is read. Its owner is told which others have cells.

alter table app.imports add column other_sheets jsonb not null default '[]';
comment on column app.imports.other_sheets is 'Shown sheets of the file that have cells and were not read.';
