select plan(2);

create function pg_temp.reads_a_clock(p_code text)
returns boolean
language sql
return regexp_replace(p_code, 'app\.now\(\)', '', 'g')
  ~* '\m(now|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday)\s*\(|\m(current_(date|time|timestamp)|localtime|localtimestamp)\M|''(now|today|tomorrow|yesterday)''';

-- A time-ordered id needs the very moment; no rule asks an id for its time.
select set_eq(
  $$ select signature from tests.our_functions where pg_temp.reads_a_clock(definition) $$,
  array['app.first_id_within(interval)', 'app.now()', 'app.uuid_v7()'],
  'no other function reads a clock of its own'
);
select is_empty(
  $$
    select adrelid::regclass::text from pg_attrdef
    where adrelid in (select oid from tests.our_tables) and pg_temp.reads_a_clock(pg_get_expr(adbin, adrelid))
    union all
    select conname from pg_constraint
    where conrelid in (select oid from tests.our_tables) and pg_temp.reads_a_clock(pg_get_constraintdef(oid))
    union all
    select polname from pg_policy
    where polrelid in (select oid from tests.our_tables)
      and pg_temp.reads_a_clock(concat(pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)))
  $$,
  'nor does a default, a check or a policy'
);

select * from finish();
