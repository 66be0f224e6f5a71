-- A person's files are found by their folder: a range of the index on (bucket_id, name collate "C"), which every footing has. '0' follows
-- '/'. Without it every file of the bucket was asked whose it is.

create or replace function app.may_keep_export(object_name text) returns boolean language sql stable security definer set search_path = ''
as $$
  select app.owns_export(object_name) and object_name ~ '^[^/]+/[^/]+/[^/]+$' and (
    select count(*) < 1000 from storage.objects
    where bucket_id = 'exports'
      and name collate "C" >= auth.uid()::text || '/' and name collate "C" < auth.uid()::text || '0'
  )
$$;

drop policy "exports: read by their owner" on storage.objects;
drop policy "exports: removed by their owner" on storage.objects;

create policy "exports: read by their owner" on storage.objects for select to authenticated
  using (bucket_id = 'exports' and name collate "C" >= (select auth.uid())::text || '/'
    and name collate "C" < (select auth.uid())::text || '0' and app.owns_export(name));
create policy "exports: removed by their owner" on storage.objects for delete to authenticated
  using (bucket_id = 'exports' and name collate "C" >= (select auth.uid())::text || '/'
    and name collate "C" < (select auth.uid())::text || '0' and app.owns_export(name));
