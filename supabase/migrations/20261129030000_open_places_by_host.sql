-- A lead without a position is looked up by its host among all places, also those without an email: a host that several
-- businesses share says nothing about any one of them. The index keeps its name: migrations that change how hosts are spelled build it again.

drop index app.open_places_email_host_idx;
create index open_places_email_host_idx on app.open_places (app.host_key(website)) where (website is not null);
