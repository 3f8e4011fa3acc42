select plan(2);

select is_empty(
  $$ select relname from pg_class where relnamespace = 'public'::regnamespace $$,
  'no table, view or sequence is in public'
);
select is_empty(
  $$ select proname from pg_proc where pronamespace = 'public'::regnamespace $$,
  'no function is in public'
);

select * from finish();
