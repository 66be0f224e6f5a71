-- Exports are kept for as long as their list: files of a private bucket, named <user>/<list>/<file>. Storage is our own backend's, or
-- hosted Supabase's; both ask these policies.

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('exports', 'exports', false, 2000000, '{text/csv}')
on conflict (id) do nothing;

create function app.owns_export(object_name text) returns boolean language sql stable security definer set search_path = ''
as $$
  select app.is_active() and split_part(object_name, '/', 1) = auth.uid()::text and exists (
    select from public.lists where user_id = auth.uid() and id::text = split_part(object_name, '/', 2)
  )
$$;

-- A person keeps a thousand files at the most.
create function app.may_keep_export(object_name text) returns boolean language sql stable security definer set search_path = ''
as $$
  select app.owns_export(object_name) and object_name ~ '^[^/]+/[^/]+/[^/]+$' and (
    select count(*) < 1000 from storage.objects
    where bucket_id = 'exports' and starts_with(name, auth.uid()::text || '/')
  )
$$;

revoke execute on function app.owns_export(text), app.may_keep_export(text) from public;
grant execute on function app.owns_export(text), app.may_keep_export(text) to authenticated;

-- A restore makes this schema anew, and leaves Supabase's.
drop policy if exists "exports: read by their owner" on storage.objects;
drop policy if exists "exports: kept by the owner of the list" on storage.objects;
drop policy if exists "exports: removed by their owner" on storage.objects;
drop policy if exists "exports: server" on storage.objects;

-- Nobody changes a file that is kept.
create policy "exports: read by their owner" on storage.objects for select to authenticated
  using (bucket_id = 'exports' and app.owns_export(name));
create policy "exports: kept by the owner of the list" on storage.objects for insert to authenticated
  with check (bucket_id = 'exports' and app.may_keep_export(name));
create policy "exports: removed by their owner" on storage.objects for delete to authenticated
  using (bucket_id = 'exports' and app.owns_export(name));
create policy "exports: server" on storage.objects to service_role
  using (bucket_id = 'exports') with check (bucket_id = 'exports');
