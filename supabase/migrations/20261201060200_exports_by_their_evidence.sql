-- A kept file names its export, so that two exports of one list at a time are told apart.
alter table app.exports add column evidence_id uuid;
comment on column app.exports.evidence_id is 'Under which the evidence has it, and a kept file names it. Null for exports from before this was kept.';
