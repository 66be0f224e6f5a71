-- What a worker needs of the ledger's sums.
alter policy server on app.recalls to service_role, fairlead_worker;
alter policy server on app.ledger_days to service_role, fairlead_worker;
grant select, insert, update on app.recalls, app.ledger_days to fairlead_worker;
grant execute on function app.book_sent, app.add_to_ledger_days, app.ledger_change_of to fairlead_worker;
