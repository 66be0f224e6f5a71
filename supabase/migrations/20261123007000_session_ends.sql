-- When sessions of our own backend end: after that long without use, and at the latest that long after the sign-in. Hours.
alter table app.sign_in_rules
  add column session_idle_hours integer not null default 720 check (session_idle_hours between 2 and 8760),
  add column session_max_hours integer not null default 2160 check (session_max_hours between 2 and 8760),
  add constraint idle_before_max check (session_idle_hours <= session_max_hours);
