set transaction isolation level serializable;
select plan(4);

select tests.person('maya', 4);
select tests.person('jonas', 4);
select tests.post('no slider', 'maya');
select tests.slider('locked', 'maya', 'private_locked_hub');

create function pg_temp.vote(p_post text)
returns jsonb
language sql
return api.cast_vote(tests.arguments(p_post) || '{"position": "left"}');

select tests.act_as('jonas');
select throws_ok($$ select pg_temp.vote('no slider') $$, 'PT409', 'POST_NOT_VOTABLE', 'a post without a slider takes no vote');
select throws_ok($$ select pg_temp.vote('locked') $$, 'PT404', 'POST_NOT_FOUND', 'a hidden post is not found');
select throws_ok($$ select pg_temp.vote('unknown') $$, 'PT404', 'POST_NOT_FOUND', 'nor is one that never was');
reset role;
select is_empty('select from app.vote_receipts', 'nothing is counted');

select * from finish();
