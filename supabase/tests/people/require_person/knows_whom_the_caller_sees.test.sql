select plan(9);

select tests.person(name) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.person('nameless', 1);
select tests.person('former');
select app.end_user(tests.id('former'));
select tests.block('maya', 'jonas');

create function pg_temp.refusal_of(p_id uuid)
returns text
language sql
return tests.error_of(format('select app.require_person(%L)', p_id)) ->> 'code';

select tests.act_as('maya');
select is(pg_temp.refusal_of(tests.id('lena')), null, 'a registered person is known');
select is(pg_temp.refusal_of(tests.id('maya')), null, 'the caller is one');
select is(pg_temp.refusal_of(tests.id('jonas')), null, 'whom the caller has blocked as well');
select is(pg_temp.refusal_of(tests.id('nameless')), 'USER_NOT_FOUND', 'an account without a profile is not');
select is(pg_temp.refusal_of(tests.id('former')), 'USER_NOT_FOUND', 'nor one that has ended');
select is(pg_temp.refusal_of(tests.id('nobody')), 'USER_NOT_FOUND', 'nor an id of nobody');
select is(pg_temp.refusal_of(null), 'USER_NOT_FOUND', 'nor none at all');
select tests.act_as('jonas');
select is(
  tests.error_of($$ select app.require_person(tests.id('maya')) $$) ->> 'state', 'PT404', 'who has blocked the caller is not there for them'
);
select tests.act_as_guest();
select is(pg_temp.refusal_of(tests.id('maya')), null, 'but for a guest');

select * from finish();
