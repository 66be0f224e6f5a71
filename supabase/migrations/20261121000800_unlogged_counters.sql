-- Counting must not wait for the disk: a server that lost power may well begin to count anew.
alter table app.rate_limits set unlogged;
