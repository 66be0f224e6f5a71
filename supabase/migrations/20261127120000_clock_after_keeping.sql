-- A list that is no longer kept for good has the time of any other from then on: it may be older than that by years.
create or replace function app.keep_list_clock() returns trigger language plpgsql set search_path = '' as $$
begin
  new.updated_at := now();
  if new.lifecycle_status = old.lifecycle_status then
    new.archived_at := old.archived_at;
  elsif new.lifecycle_status = 'archived' then
    new.archived_at := now();
  else
    new.archived_at := null;
    new.retention_from := now();
  end if;
  if old.keep and not new.keep then
    new.retention_from := now();
    if new.lifecycle_status = 'archived' then
      new.archived_at := now();
    end if;
  end if;
  return new;
end $$;
