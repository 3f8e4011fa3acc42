select plan(4);

select tests.person('maya', 4);
select tests.person('guest', 1);
select tests.slider('trams', 'maya');
select tests.slider('locked', 'maya', 'private_locked_hub');
select tests.post('no slider', 'maya');
select tests.person('jonas');

select tests.act_as('guest');
select throws_ok($$ select api.get_my_vote(tests.arguments('trams')) $$, 'PT403', 'FORBIDDEN', 'an anonymous user does not vote');
select tests.act_as('jonas');
select throws_ok($$ select api.get_my_vote(tests.arguments('locked')) $$, 'PT404', 'POST_NOT_FOUND', 'a hidden post is not found');
select throws_ok($$ select api.get_my_vote(tests.arguments('no slider')) $$, 'PT409', 'POST_NOT_VOTABLE', 'a post without a slider takes no vote');
select tests.act_as_guest();
select throws_ok($$ select api.get_my_vote(tests.arguments('trams')) $$, '42501', null, 'a guest has no vote');

select * from finish();
