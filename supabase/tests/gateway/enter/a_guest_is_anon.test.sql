select plan(2);

set local session authorization opine_gateway;
select is(gateway.enter(null, false), 'anon', 'the role of a caller without claims is anon');
reset session authorization;
select is(app.user_id(), null, 'a caller without claims is nobody');

select * from finish();
