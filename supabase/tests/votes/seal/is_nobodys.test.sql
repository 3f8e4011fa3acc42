select plan(1);

select is_empty(
  $$
    select role from unnest(array[
      'select app.seal(null, null)', 'select app.unseal(null, null, null)', 'select app.key_id(null)', 'select app.key_ids(null)', 'select app.pending_since()'
    ]) as statement
    cross join lateral tests.who_may(statement) as role
  $$,
  'no role seals or opens by itself'
);

select * from finish();
