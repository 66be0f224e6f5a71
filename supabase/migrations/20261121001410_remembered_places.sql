-- Where a place lies, and whether it has closed, is remembered for as long as coordinates may be kept.
alter table app.answers drop constraint answers_operation_check;
alter table app.answers add constraint answers_operation_check
  check (operation in ('locate', 'search_page', 'place', 'domain_search', 'phone_scrub'));
