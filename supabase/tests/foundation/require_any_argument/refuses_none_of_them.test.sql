select plan(2);

select lives_ok($$ select app.require_any_argument('{"bio": null}', 'name', 'bio') $$, 'require_any_argument takes one argument, even null');
select throws_ok(
  $$ select app.require_any_argument('{"other": 1}', 'name', 'bio') $$, 'PT422', 'VALIDATION_FAILED',
  'require_any_argument refuses arguments none of which it names'
);

select * from finish();
