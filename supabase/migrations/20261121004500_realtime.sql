-- Who may subscribe to what: hosted Supabase tells of the tables in its publication, our own backend of those that it watches. A
-- private channel is one's own: user:<id>, and whatever begins with user:<id>:

do $$
declare
  untold text;
begin
  if to_regprocedure('realtime.watch(regclass, text)') is not null then
    perform realtime.watch('public.lists', 'r.user_id');
    -- The leads of a deleted list go with it, and nobody is told of each.
    perform realtime.watch('public.leads', '(select l.user_id from public.lists as l where l.id = r.list_id)');
  elsif exists (select from pg_publication where pubname = 'supabase_realtime') then
    for untold in
      select unnest(array['lists', 'leads'])
      except select tablename from pg_publication_tables where pubname = 'supabase_realtime' and schemaname = 'public'
    loop
      execute format('alter publication supabase_realtime add table public.%I', untold);
    end loop;
  end if;

  if to_regclass('realtime.messages') is not null then
    create policy owner_listens on realtime.messages for select to authenticated
      using (realtime.topic() ~ ('^user:' || (select auth.uid()) || '(:|$)') and (select app.is_active()));
    create policy owner_speaks on realtime.messages for insert to authenticated
      with check (realtime.topic() ~ ('^user:' || (select auth.uid()) || '(:|$)') and (select app.is_active()));
  end if;
end
$$;
