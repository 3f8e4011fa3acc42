select plan(2);

-- Without profiles, whose references would hold them as well.
set local session_replication_role = replica;
select tests.elm();
select tests.invitation('note', 'elm', 'amara', 'lena');
set local session_replication_role = origin;

create function pg_temp.held()
returns setof uuid
language sql
as $$ select u.id from app.users as u where u.xmax::text <> '0' $$;

select set_config('request.jwt.claims', tests.claims('lena')::text, true);
select is_empty('select pg_temp.held()', 'nobody is held');
select app.lock_own_invitation(tests.id('note'));
select set_eq('select pg_temp.held()', array[tests.id('lena')], 'then who is invited, until the end of their account finds what they accepted');

select * from finish();
