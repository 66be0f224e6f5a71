-- A site below a domain was remembered for all others there: sites are visited again, which costs nothing. Their notices stay.
delete from app.website_answers where not visit ? 'notice';

comment on table app.website_answers is
  'What a visit to a website brought, for everyone who has a lead with it: it is the same for everyone. Sandbox and real are apart.';
comment on column app.website_answers.domain is
  'The host of the website without "www.": those below one domain may be of many businesses.';
