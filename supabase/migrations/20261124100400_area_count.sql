-- Google's own count of an area is a paid call of a name of its own. Old rows keep to the stricter rule, so they need no second look.
alter table app.paid_calls drop constraint paid_calls_operation_check;
alter table app.paid_calls add constraint paid_calls_operation_check
  check (operation in ('locate', 'search_page', 'area_count', 'domain_search', 'phone_scrub')) not valid;
alter table app.paid_calls validate constraint paid_calls_operation_check;
alter table app.answers drop constraint answers_operation_check;
alter table app.answers add constraint answers_operation_check
  check (operation in ('locate', 'search_page', 'area_count', 'place', 'domain_search', 'phone_scrub')) not valid;
alter table app.answers validate constraint answers_operation_check;
alter table app.recalls drop constraint recalls_operation_check;
alter table app.recalls add constraint recalls_operation_check
  check (operation in ('locate', 'search_page', 'area_count', 'domain_search', 'phone_scrub')) not valid;
alter table app.recalls validate constraint recalls_operation_check;
alter table app.ledger_days drop constraint ledger_days_operation_check;
alter table app.ledger_days add constraint ledger_days_operation_check
  check (operation in ('locate', 'search_page', 'area_count', 'domain_search', 'phone_scrub')) not valid;
alter table app.ledger_days validate constraint ledger_days_operation_check;
