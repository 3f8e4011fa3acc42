select plan(9);

select tests.elm();
select tests.hub('oak', 'lena');
select tests.membership('oak', 'maya');

create function pg_temp.refusal_of(p_user text, p_hub text default 'elm')
returns text
language sql
as $$ select tests.error_of(format('select app.require_replaceable(tests.id(%L), tests.id(%L))', p_hub, p_user)) ->> 'code' $$;

select is(pg_temp.refusal_of('amara'), 'LAST_ADMIN', 'the last admin does not leave others behind');
select is(pg_temp.refusal_of('maya'), null, 'a manager may go');
select is(pg_temp.refusal_of('jonas'), null, 'and a member');
select tests.hub('ash', 'maya');
select is(pg_temp.refusal_of('maya'), null, 'whatever they are elsewhere');
select is(pg_temp.refusal_of('maya', 'ash'), null, 'an admin leaves an empty Hub');
update app.memberships set role = 'admin' where hub_id = tests.id('elm') and user_id = tests.id('maya');
select is(pg_temp.refusal_of('amara'), null, 'or one with another admin');
update app.memberships set role = 'manager' where hub_id = tests.id('elm') and role = 'admin';
select is(pg_temp.refusal_of(name), null, 'who is no admin leaves nobody without one: ' || name) from unnest(array['amara', 'maya']) as name;
select is_empty($$ select tests.who_may('select app.require_replaceable(null, null)') $$, 'moves alone ask');

select * from finish();
