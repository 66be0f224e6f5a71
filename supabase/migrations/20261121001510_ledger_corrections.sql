-- Google's coordinates leave the ledger after 30 days: also the subjects of recalls, and the keys of calls, which hold a hash from now on.
update app.paid_calls
set idempotency_key = left(idempotency_key, -length(subject)) || md5(subject)
where operation = 'search_page' and right(idempotency_key, length(subject) + 1) = ':' || subject;
update app.paid_calls set idempotency_key = md5(idempotency_key)
where operation = 'search_page' and idempotency_key ~ ' m of [-0-9.e]+,[-0-9.e]+, page ';

create index recalls_coordinates_idx on app.recalls (recalled_at)
  where operation = 'search_page' and subject ~ ' m of [-0-9.e]+,[-0-9.e]+, page ';

-- What was settled by hand is looked for again where a provider charges a subject once.
create index paid_calls_settled_by_hand_idx on app.paid_calls (user_id, provider, operation, subject)
  where settled_by_hand_at is not null;

-- A call that waits to be sent again stays booked if it may have been charged, and so belongs to the rows of the ledger.
drop index app.paid_calls_user_id_sent_idx;
create index paid_calls_user_id_sent_idx on app.paid_calls (user_id, sandbox, (coalesce(sent_at, planned_at)), id)
  where state <> 'planned' or cost_micros > 0;
