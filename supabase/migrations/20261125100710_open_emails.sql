-- Places of open data with an email are found by phone and by host, also from a lead whose place on earth is not known.

create index open_places_email_phone_idx on app.open_places (app.phone_key(phone)) where (email is not null);
create index open_places_email_host_idx on app.open_places (app.host_key(website)) where (email is not null);
