begin;
select plan(4);

-- user_id: is who the claims name
select is(app.user_id(), null, 'without claims there is nobody');
set local request.jwt.claims = '';
select is(app.user_id(), null, 'nor with empty ones');
select tests.authenticate_as_guest();
select is(app.user_id(), null, 'a guest is nobody');
select tests.authenticate_as('maya');
select is(app.user_id(), tests.id('maya'), 'a signed-in person is the subject of their claims');

select * from finish();
rollback;
