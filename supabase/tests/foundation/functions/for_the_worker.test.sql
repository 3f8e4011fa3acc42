select plan(3);

select bag_eq(
  $$ select tests.executable_by('opine_worker', 'app') $$,
  array['app.fold_votes()', 'app.prune_identity()'],
  'the worker''s duties'
);
select bag_eq(
  $$ select tests.executable_by('opine_worker', 'gateway') $$,
  array['gateway.prune_idempotent_answers()'],
  'and the gateway''s upkeep'
);
select is_empty($$ select tests.executable_by('opine_worker', 'api') $$, 'it runs no operation');

select * from finish();
