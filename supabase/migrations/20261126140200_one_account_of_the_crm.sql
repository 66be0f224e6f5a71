-- What was found out in one account of the CRM says nothing of another, and what a pull left out is told.

alter table app.crm_connection add column account text, add column account_since timestamptz;
comment on column app.crm_connection.account is
  'What the CRM calls the account that was connected last. Null where it did not say: then each connection is to another one.';
comment on column app.crm_connection.account_since is 'When that account took the place of another.';

alter table app.suppression_settings add column crm_tag_before text check (char_length(crm_tag_before) <= 500);
comment on column app.suppression_settings.crm_tag_before is
  'The name of the tag that was chosen in the account before. It counts no more, and is told until someone saves these settings.';

alter table app.crm_pull add column left_out text check (char_length(left_out) <= 1000);
comment on column app.crm_pull.left_out is 'What the last pull could not read or ask about, in words with examples.';
