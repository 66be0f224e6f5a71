-- Kept files. Hosted Supabase has its own schema storage; the policies and app functions are the same there.
-- Written by `npm run db:types` from the migrations. Do not edit.

create table storage.buckets (
  id text not null,
  name text not null,
  owner uuid,
  owner_id text,
  public boolean not null default false,
  file_size_limit bigint, -- Bytes; null: what the server takes at most.
  allowed_mime_types text[],
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint buckets_pkey primary key (id),
  constraint buckets_name_key unique (name),
  constraint buckets_file_size_limit_check check (file_size_limit >= 0)
);
alter table storage.buckets enable row level security;
alter table storage.buckets force row level security;
create policy server on storage.buckets to service_role
  using (true)
  with check (true);
grant select, insert, update, delete on storage.buckets to anon;
grant select, insert, update, delete on storage.buckets to authenticated;
grant select, insert, update, delete on storage.buckets to service_role;

create table storage.objects (
  id uuid not null default gen_random_uuid(),
  bucket_id text not null,
  name text not null,
  owner uuid,
  owner_id text,
  version text not null, -- Names the file with the bytes. Copies share it. It is never written a second time.
  metadata jsonb not null,
  user_metadata jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  last_accessed_at timestamptz not null default now(),
  constraint objects_pkey primary key (id),
  constraint objects_bucket_id_name_key unique (bucket_id, name),
  constraint objects_bucket_id_fkey foreign key (bucket_id) references storage.buckets(id)
);
create index objects_version_idx on storage.objects (version);
alter table storage.objects enable row level security;
alter table storage.objects force row level security;
create policy "exports: kept by the owner of the list" on storage.objects for insert to authenticated
  with check (bucket_id = 'exports' and app.may_keep_export(name));
create policy "exports: read by their owner" on storage.objects for select to authenticated
  using (bucket_id = 'exports' and (name collate "C") >= (((select auth.uid())::text) || '/') and (name collate "C") < (((select auth.uid())::text) || '0') and app.owns_export(name));
create policy "exports: removed by their owner" on storage.objects for delete to authenticated
  using (bucket_id = 'exports' and (name collate "C") >= (((select auth.uid())::text) || '/') and (name collate "C") < (((select auth.uid())::text) || '0') and app.owns_export(name));
create policy "exports: server" on storage.objects to service_role
  using (bucket_id = 'exports')
  with check (bucket_id = 'exports');
create policy server on storage.objects to service_role
  using (true)
  with check (true);
grant select, insert, update, delete on storage.objects to anon;
grant select, insert, update, delete on storage.objects to authenticated;
grant select, insert, update, delete on storage.objects to service_role;

-- May be called by: everyone.
create function storage.filename(name text)
 returns text
 language sql
 immutable strict
 set search_path to ''
as $function$ select (string_to_array(name, '/'))[cardinality(string_to_array(name, '/'))] $function$;

-- May be called by: everyone.
create function storage.extension(name text)
 returns text
 language sql
 immutable strict
 set search_path to ''
as $function$ select reverse(split_part(reverse(storage.filename(name)), '.', 1)) $function$;

-- May be called by: everyone.
create function storage.foldername(name text)
 returns text[]
 language sql
 immutable strict
 set search_path to ''
as $function$ select (string_to_array(name, '/'))[1 : cardinality(string_to_array(name, '/')) - 1] $function$;

-- May be called by: authenticated.
create function app.owns_export(object_name text)
 returns boolean
 language sql
 stable security definer
 set search_path to ''
as $function$
  select app.is_active() and split_part(object_name, '/', 1) = auth.uid()::text and exists (
    select from public.lists where user_id = auth.uid() and id::text = split_part(object_name, '/', 2)
  )
$function$;

-- A person keeps at most a thousand files. They are found by their folder: a range of the index on (bucket_id, name collate "C"),
-- which every footing has. '0' follows '/'.
-- May be called by: authenticated.
create function app.may_keep_export(object_name text)
 returns boolean
 language sql
 stable security definer
 set search_path to ''
as $function$
  select app.owns_export(object_name) and object_name ~ '^[^/]+/[^/]+/[^/]+$' and (
    select count(*) < 1000 from storage.objects
    where bucket_id = 'exports'
      and name collate "C" >= auth.uid()::text || '/' and name collate "C" < auth.uid()::text || '0'
  )
$function$;
