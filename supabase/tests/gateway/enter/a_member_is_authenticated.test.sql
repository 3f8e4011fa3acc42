select plan(2);

select tests.person('maya');
select tests.session('maya');
set local session authorization opine_gateway;
select gateway.enter(tests.claims('maya'), false);
select is(current_user::text, 'authenticated', 'who brings claims of a live session goes on as authenticated');
select is(app.user_id(), tests.id('maya'), 'and is who the claims name');

select * from finish();
