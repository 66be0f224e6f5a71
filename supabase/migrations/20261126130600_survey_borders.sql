-- A survey knows which of its places it has seen inside of its area, and which only where its border runs.

alter table app.survey_places add column inside boolean not null default true;
comment on column app.survey_places.inside is
  'Whether it was seen in a rectangle that lies in the area as a whole. One that was not may lie outside, if no leaf holds it.';
grant update (inside) on app.survey_places to fairlead_worker;
