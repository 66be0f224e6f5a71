-- A flood of requests from one network must not crowd out others: each network has a share of the list, and the oldest request of each is
-- shown first.
alter table app.stop_requests add column network text;
comment on column app.stop_requests.network is
  'From which network it came, as a fingerprint. Null for requests from before 2026-11-29.';
create index stop_requests_network_idx on app.stop_requests (network);
