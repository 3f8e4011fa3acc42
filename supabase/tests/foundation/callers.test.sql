begin;
select plan(4);

-- user_id reads the caller's id from the claims of the request.
select is(app.user_id(), null, 'user_id returns null without claims');
set local request.jwt.claims = '';
select is(app.user_id(), null, 'user_id returns null for empty claims');
select tests.authenticate_as_guest();
select is(app.user_id(), null, 'user_id returns null for a guest');
select tests.authenticate_as('maya');
select is(app.user_id(), tests.id('maya'), 'user_id returns the subject of a signed-in user''s claims');

select * from finish();
rollback;
