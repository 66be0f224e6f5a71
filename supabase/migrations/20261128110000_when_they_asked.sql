-- The ten business days count from the request. What waited for an administrator, or was logged later, is older than its entry.
alter table app.suppressions add column asked_at timestamptz;
comment on column app.suppressions.asked_at is
  'When someone asked to be left alone, where that is known and was before the entry. The clock of the law counts from it.';
