comment on column app.suppression_settings.crm_tag_before is
  'The name of the tag that was chosen in the account before. It counts no more, and is told until someone chooses a tag, or none.';
