select plan(4);

select tests.elm();
select set_config('request.jwt.claims', tests.claims('jonas')::text, true);
select throws_ok($$ select app.require_no_member(tests.id('elm')) $$, 'PT409', 'ALREADY_MEMBER', 'a member cannot become one');
select tests.hub('oak', 'lena');
select lives_ok($$ select app.require_no_member(tests.id('oak')) $$, 'but of another Hub');
select set_config('request.jwt.claims', tests.claims('lena')::text, true);
select lives_ok($$ select app.require_no_member(tests.id('elm')) $$, 'who is none passes');
select is_empty($$ select tests.who_may('select app.require_no_member(null)') $$, 'moves alone ask');

select * from finish();
