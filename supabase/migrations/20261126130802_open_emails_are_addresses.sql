-- Open data had texts in place of email addresses, and leads took them over.

update app.open_places set email = null
where email is not null and email !~* '^[a-z0-9][a-z0-9._%+''&-]*@([a-z0-9-]+\.)+[a-z][a-z0-9-]*[a-z0-9]$';

update app.open_street_map_places set email = null
where email is not null and email !~* '^[a-z0-9][a-z0-9._%+''&-]*@([a-z0-9-]+\.)+[a-z][a-z0-9-]*[a-z0-9]$';

update public.leads set email = null, sources = sources - 'email'
where sources ->> 'email' like 'open:%' and email !~* '^[a-z0-9][a-z0-9._%+''&-]*@([a-z0-9-]+\.)+[a-z][a-z0-9-]*[a-z0-9]$';
