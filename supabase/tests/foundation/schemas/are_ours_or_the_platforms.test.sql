select plan(1);

select is_empty(
  $$
    select nspname::text
    from pg_namespace
    where nspname !~ '^pg_' and nspname <> all (tests.our_schemas())
      and nspname <> all (array['information_schema', 'public', 'extensions', 'auth', 'storage', 'realtime', 'embedded', 'supabase_migrations', 'tests'])
  $$,
  'a schema of ours is named in tests.our_schemas(), so that every rule here holds for it'
);

select * from finish();
