-- PostgreSQL learns of many new rows up to a minute later. Until then it takes them for few, and may compare each lead with each entry.

create function app.analyze_leads()
 returns void
 language plpgsql
 security definer
 set search_path to ''
as $function$
begin
  analyze (skip_locked) public.leads;
end $function$;

create function app.analyze_suppressions()
 returns void
 language plpgsql
 security definer
 set search_path to ''
as $function$
begin
  analyze (skip_locked) app.suppressions;
end $function$;

revoke all on function app.analyze_leads, app.analyze_suppressions from public;
grant execute on function app.analyze_leads, app.analyze_suppressions to service_role, fairlead_worker;
