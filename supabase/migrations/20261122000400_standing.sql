-- What decides about somebody who comes by an address, in one look: their profile, and the CRM's connection with the tags it asks for.
-- The CRM's are null where it has no say. In a function, which is planned once for a connection, behind a pooler too.
create function app.standing_of(
  address text, out role text, out status text, out crm_connected_at timestamptz, out required_tags text[]
) language plpgsql stable set search_path = '' as $$
begin
  select profile.role, profile.status, crm.connected_at, crm.tags into role, status, crm_connected_at, required_tags
  from (
    select max(connection.connected_at) as connected_at, array_agg(tag.tag_id) as tags
    from app.crm_connection as connection cross join app.required_tags as tag
    where connection.connected_at is not null
  ) as crm
  left join app.profiles as profile on lower(profile.email) = lower(address);
end
$$;
revoke execute on function app.standing_of(text) from public;
grant execute on function app.standing_of(text) to service_role;
