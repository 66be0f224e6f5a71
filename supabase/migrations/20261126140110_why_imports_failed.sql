alter table app.imports add column failure text;
alter table app.imports add constraint imports_failure_check check (char_length(failure) <= 500) not valid;
alter table app.imports validate constraint imports_failure_check;
comment on column app.imports.failure is 'Why it failed, in words for its owner.';
