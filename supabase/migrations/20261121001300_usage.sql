-- What the usage page reads: the sums of some days for one kind of money, and the rows of those days in their order.
create index ledger_days_user_id_sandbox_day_idx on app.ledger_days (user_id, sandbox, day);
create index paid_calls_user_id_sent_idx on app.paid_calls (user_id, sandbox, (coalesce(sent_at, planned_at)), id)
  where state <> 'planned';
