-- Where each value of a lead came from, where no paid call says it.

alter table public.leads
  add column sources jsonb not null default '{}'
    constraint leads_sources_check check (jsonb_typeof(sources) = 'object' and octet_length(sources::text) <= 2000);
comment on column public.leads.sources is
  'By column, where its value came from: file, website or open:<id of a release>. A column that is missing here came with the paid call beside it.';
