-- A lead of a file with many columns may name a source for each of them. With every column that a row can have it stays below this.
alter table public.leads drop constraint leads_sources_check;
alter table public.leads add constraint leads_sources_check
  check (jsonb_typeof(sources) = 'object' and octet_length(sources::text) <= 40000) not valid;
alter table public.leads validate constraint leads_sources_check;
