select plan(3);

select tests.person('maya', 3);
select tests.slider('trams', 'maya');
select tests.post('no slider', 'maya');
select tests.act_as('maya');
select is(api.get_post(tests.arguments('trams')) -> 'permissions' -> 'canVote', 'true', 'before a vote');
select is(api.get_post(tests.arguments('no slider')) -> 'permissions' -> 'canVote', 'false', 'never without a slider');
reset role;
select tests.vote('maya', 'trams', 'left');
select tests.act_as('maya');
select is(api.get_post(tests.arguments('trams')) -> 'permissions' -> 'canVote', 'false', 'and not after it');

select * from finish();
