-- When the first verdict of a list runs out: from then on it counts as not checked, without waiting for a sweep.
alter table public.lists add column compliance_expires_at timestamptz;

alter table public.lists disable trigger keep_list_clock;
update public.lists as list set compliance_expires_at = (
  select min(compliance_checked_at) + interval '31 days' from public.leads
  where list_id = list.id and compliance_status in ('safe', 'dnc')
) where compliance_checked;
alter table public.lists enable trigger keep_list_clock;
