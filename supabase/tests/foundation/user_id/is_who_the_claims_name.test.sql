select plan(4);

select is(app.user_id(), null, 'without claims there is nobody');
set local request.jwt.claims = '';
select is(app.user_id(), null, 'nor with empty ones');
select tests.act_as_guest();
select is(app.user_id(), null, 'a guest is nobody');
select tests.act_as('maya');
select is(app.user_id(), tests.id('maya'), 'a signed-in person is the subject of their claims');

select * from finish();
