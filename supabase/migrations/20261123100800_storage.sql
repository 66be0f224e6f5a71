-- Exports are kept for as long as their list: files of a private bucket, named <user>/<list>/<file>. Storage is our own backend's, or
-- hosted Supabase's. Both ask these policies.

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('exports', 'exports', false, 2000000, '{text/csv}')
on conflict (id) do nothing;

create function app.owns_export(object_name text) returns boolean language sql stable security definer set search_path = ''
as $$
  select app.is_active() and split_part(object_name, '/', 1) = auth.uid()::text and exists (
    select from public.lists where user_id = auth.uid() and id::text = split_part(object_name, '/', 2)
  )
$$;

create function app.may_keep_export(object_name text) returns boolean language sql stable security definer set search_path = ''
as $$
  select app.owns_export(object_name) and object_name ~ '^[^/]+/[^/]+/[^/]+$' and (
    select count(*) < 1000 from storage.objects
    where bucket_id = 'exports'
      and name collate "C" >= auth.uid()::text || '/' and name collate "C" < auth.uid()::text || '0'
  )
$$;
comment on function app.may_keep_export is
  'A person keeps at most a thousand files. They are found by their folder: a range of the index on (bucket_id, name collate '
  '"C"), which every footing has. ''0'' follows ''/''.';

revoke execute on function app.owns_export(text), app.may_keep_export(text) from public;
grant execute on function app.owns_export(text), app.may_keep_export(text) to authenticated;

-- A restore makes schema app again, and leaves Supabase's.
drop policy if exists "exports: read by their owner" on storage.objects;
drop policy if exists "exports: kept by the owner of the list" on storage.objects;
drop policy if exists "exports: removed by their owner" on storage.objects;
drop policy if exists "exports: server" on storage.objects;

-- No one changes a file that is kept.
create policy "exports: read by their owner" on storage.objects for select to authenticated
  using (bucket_id = 'exports' and name collate "C" >= (select auth.uid())::text || '/'
    and name collate "C" < (select auth.uid())::text || '0' and app.owns_export(name));
create policy "exports: kept by the owner of the list" on storage.objects for insert to authenticated
  with check (bucket_id = 'exports' and app.may_keep_export(name));
create policy "exports: removed by their owner" on storage.objects for delete to authenticated
  using (bucket_id = 'exports' and name collate "C" >= (select auth.uid())::text || '/'
    and name collate "C" < (select auth.uid())::text || '0' and app.owns_export(name));
create policy "exports: server" on storage.objects to service_role
  using (bucket_id = 'exports') with check (bucket_id = 'exports');
