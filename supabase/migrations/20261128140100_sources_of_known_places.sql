-- A place that is known from another list keeps what its values came from: what a file or open data told was not told by Google.
-- A list that was kept for good ends being so with the first value of Google's.
create or replace function app.add_leads(list_id uuid, places jsonb, matched boolean) returns boolean
language plpgsql set search_path = '' as $$
#variable_conflict use_column
declare
  last integer;
  added integer;
  owner uuid;
begin
  select list.user_id into owner from public.lists as list where list.id = add_leads.list_id for update;
  if not found then
    return true;
  end if;
  if not matched and exists (
    select from public.leads as lead where lead.list_id = add_leads.list_id and lead.open_id is not null
  ) then
    return false;
  end if;
  select coalesce(max(lead.position), -1) into last from public.leads as lead where lead.list_id = add_leads.list_id;
  insert into public.leads (list_id, position, business_name, phone, address, website, place_id, latitude, longitude,
    service_area, place_call_id, sources, created_at)
  select add_leads.list_id, last + at, name, phone, address, website, id, latitude, longitude, service_area, call_id,
    coalesce(sources, '{}'), coalesce(since, now())
  from rows from (jsonb_to_recordset(places) as (id text, name text, phone text, address text, website text,
      latitude double precision, longitude double precision, service_area boolean, call_id uuid, sources jsonb, since timestamptz))
    with ordinality as place (id, name, phone, address, website, latitude, longitude, service_area, call_id, sources, since, at)
  on conflict (list_id, place_id) do nothing;
  get diagnostics added = row_count;
  if added > 0 then
    perform app.note_told(owner, 'google', array(
      select unnest(app.told_keys(
        case when sources ? 'business_name' then null else name end,
        case when sources ? 'phone' then null else phone end,
        case when sources ? 'address' then null else address end,
        case when sources ? 'website' then null else website end))
      from jsonb_to_recordset(places) as place (name text, phone text, address text, website text, sources jsonb)));
  end if;
  -- Under the lock on the list, so that nothing is missed. Counting them again would take longer with each page.
  update public.lists as list set lead_count = list.lead_count + added, keep = list.keep and added = 0
  where list.id = add_leads.list_id;
  return true;
end
$$;
