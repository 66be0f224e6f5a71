-- An address that the CRM does not take is named until it is asked about again.

alter table app.crm_asked add column refused_lead uuid;
comment on column app.crm_asked.refused_lead is
  'The lead with the address, where the CRM did not accept it: no one knows whether that person has opted out. Null for all others.';
create index crm_asked_refused_idx on app.crm_asked (asked_at) where refused_lead is not null;
comment on column app.crm_pull.left_out is 'What the last pull could not read, in words with examples.';
