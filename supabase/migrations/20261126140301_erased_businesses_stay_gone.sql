-- An erased business does not come back by a match with open data.

create or replace function app.keep_erased() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from app.erased_contacts) then
    return new;
  end if;
  if tg_op = 'INSERT' then
    if app.is_erased(array_remove(array[
      app.suppression_key('phone', new.phone), app.suppression_key('email', new.email), app.suppression_key('business', new.place_id),
      app.former_email_key(new.email)
    ], null)) then
      return null;
    end if;
    return new;
  end if;
  -- What an enrichment brings to a lead: the lead stays, and the erased person is left out.
  if new.email is distinct from old.email
    and app.is_erased(array_remove(array[app.suppression_key('email', new.email), app.former_email_key(new.email)], null)) then
    new.email := null;
    new.email_confidence := null;
    new.email_verified := null;
    new.owner_name := null;
    new.owner_title := null;
  end if;
  if new.phone is distinct from old.phone and app.is_erased(array_remove(array[app.suppression_key('phone', new.phone)], null)) then
    new.phone := null;
    new.phone_type := null;
  end if;
  if new.place_id is distinct from old.place_id
    and app.is_erased(array_remove(array[app.suppression_key('business', new.place_id)], null)) then
    new.place_id := null;
  end if;
  return new;
end
$$;

create function app.forget_erased_match() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from app.erased_contacts) and app.is_erased(array_remove(array[app.suppression_key('business', new.place_id)], null)) then
    return null;
  end if;
  return new;
end
$$;
comment on function app.forget_erased_match is 'No match with an erased business is noted.';
revoke all on function app.forget_erased_match from public;
grant execute on function app.forget_erased_match to fairlead_worker, service_role;
create trigger forget_erased before insert or update of place_id on app.open_matches
  for each row execute function app.forget_erased_match();

-- Those that came back before.
update public.leads as lead set place_id = null
from app.erased_contacts as erased
where erased.kind = 'business' and lead.place_id is not null and lead.open_id is not null
  and erased.hash = (app.contact_hashes(array['business:' || btrim(lead.place_id)]))[1];
delete from app.open_matches as known using app.erased_contacts as erased
where erased.kind = 'business' and erased.hash = (app.contact_hashes(array['business:' || btrim(known.place_id)]))[1];
