-- They only read. Undeclared, they keep every query under row-level security on one core.
alter function app.is_active() parallel safe;
alter function app.needs_second_step(uuid) parallel safe;
