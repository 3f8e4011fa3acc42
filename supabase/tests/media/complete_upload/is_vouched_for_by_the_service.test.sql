select plan(5);

select tests.person('maya', 1);
select tests.open_upload('hers', 'maya');
select set_eq(
  $$ select tests.who_may('select api.complete_upload(null)') $$, array['opine_service'], 'only the service says what lies in storage'
);
select is_empty($$ select tests.who_may('select app.begin_completion(null)') $$, 'and it by the operation alone');
select is_empty($$ select tests.who_may('select app.finish_upload(null)') $$, 'as it finishes');
select throws_ok(
  $$ select api.complete_upload(tests.completion('hers')) $$, 'PT401', 'UNAUTHORIZED', 'in nobody''s name it completes nothing'
) from (select set_config('request.jwt.claims', '{"role": "anon"}', true)) as claims;
select throws_ok(
  $$ select api.complete_upload(tests.completion('hers')) $$, 'PT401', 'UNAUTHORIZED', 'nor for a dead session'
) from (select set_config('request.jwt.claims', tests.claims('maya')::text, true)) as claims;

select * from finish();
