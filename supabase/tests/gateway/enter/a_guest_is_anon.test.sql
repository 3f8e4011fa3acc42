select plan(2);

set local session authorization opine_gateway;
select gateway.enter(null, false);
select is(current_user::text, 'anon', 'who brings no claims goes on as anon');
select is(app.user_id(), null, 'and is nobody');

select * from finish();
