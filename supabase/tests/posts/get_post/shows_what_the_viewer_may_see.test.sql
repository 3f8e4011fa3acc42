select plan(4);

select tests.person('maya', 4);
select tests.person('jonas', 4);
select tests.post('public', 'maya', 'public');
select tests.post('locked', 'maya', 'private_locked_hub');

select tests.act_as_guest();
select is(api.get_post(tests.arguments('public')) ->> 'thoughtText', 'public', 'a guest reads a public post');
select throws_ok($$ select api.get_post(tests.arguments('locked')) $$, 'PT404', 'POST_NOT_FOUND', 'and of a locked one not even that it exists');
select tests.act_as('jonas');
select throws_ok($$ select api.get_post(tests.arguments('locked')) $$, 'PT404', 'POST_NOT_FOUND', 'nor does a member who is not in its Hub');
select tests.act_as('jonas');
select throws_ok($$ select api.get_post(tests.arguments('unknown')) $$, 'PT404', 'POST_NOT_FOUND', 'just as of a post that never was');

select * from finish();
