select plan(2);

select tests.person('maya');
select tests.session('maya');
set local session authorization opine_gateway;
select is(gateway.enter(tests.claims('maya'), false), 'authenticated', 'the role of a caller with a live session is authenticated');
reset session authorization;
select is(app.user_id(), tests.id('maya'), 'the caller is whom the claims name');

select * from finish();
