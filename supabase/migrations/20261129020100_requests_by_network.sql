-- Of a flood of requests from one network no other may suffer: each network has a share of the list, and those of others are shown first.
alter table app.stop_requests add column network text;
comment on column app.stop_requests.network is
  'From which network it came, as a fingerprint. Null for those of before 2026-11-29.';
create index stop_requests_network_idx on app.stop_requests (network);
