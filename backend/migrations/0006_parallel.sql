-- Both only read a setting. Undeclared, they keep every query under row-level security on one core.
alter function auth.jwt() parallel safe;
alter function auth.uid() parallel safe;
alter function auth.role() parallel safe;
