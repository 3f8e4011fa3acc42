select plan(4);

select tests.person('guest', 1);
select tests.person('maya', 2);
select tests.act_as('guest');
select throws_ok($$ select api.complete_media('{}') $$, 'PT403', 'FORBIDDEN', 'without a profile there is nothing to complete');
select tests.act_as('maya');
create temporary table answers as select api.complete_media('{}') as answer;
select is(answer ->> 'nextStep', 'phone', 'the next step is told') from answers;
select is(answer -> 'status' -> 'mediaCompleted', 'true', 'the step is done') from answers;
select is(answer -> 'profile' ->> 'username', 'maya', 'the own profile comes with it') from answers;

select * from finish();
