select plan(4);

select tests.person(name) from unnest(array['maya', 'jonas', 'lena']) as name;

create function pg_temp.locks()
returns integer
language sql
as $$ select count(*)::integer from pg_locks where locktype = 'advisory' and pid = pg_backend_pid() $$;

select tests.act_as('maya');
select api.follow_user(tests.user('jonas'));
select is(pg_temp.locks(), 1, 'a follow holds what is between two people');
select tests.act_as('jonas');
select api.block_user(tests.user('maya'));
select is(pg_temp.locks(), 1, 'a block of the two holds the same, from the other side');
select api.block_user(tests.user('lena'));
select is(pg_temp.locks(), 2, 'and what is between others is another');
select tests.act_as('maya');
select api.follow_user(tests.user('lena'));
select is(pg_temp.locks(), 3, 'for each two');

select * from finish();
