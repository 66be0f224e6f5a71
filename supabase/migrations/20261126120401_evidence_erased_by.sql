-- Beside others at work: the check looks at all parts while they are written, and the index holds writers up for one look.

alter table app.evidence_parts validate constraint evidence_parts_erased_by_check;
create index evidence_parts_erased_by_idx on app.evidence_parts (erased_by) where erased_by is not null;
