-- A lead without a website is looked up by phone among all places that have an email or a website. The index held only those
-- with an email, so that each such lead read every place. It keeps its name: migrations that change how
-- numbers are spelled build it again.

drop index app.open_places_email_phone_idx;
create index open_places_email_phone_idx on app.open_places (app.phone_key(phone)) where (email is not null or website is not null);
