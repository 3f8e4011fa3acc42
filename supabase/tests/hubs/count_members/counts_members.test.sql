select plan(5);

select tests.person(name, 4) from unnest(array['amara', 'maya', 'jonas']) as name;

create function pg_temp.counts()
returns setof text
language sql
as $$ select format('%s: %s', h.name, h.member_count) from app.hubs as h $$;

select tests.hub('elm', 'amara');
select tests.hub('oak', 'maya');
select tests.hub('ash', 'jonas');
insert into app.memberships (hub_id, user_id, role)
values (tests.id('elm'), tests.id('maya'), 'member'), (tests.id('elm'), tests.id('jonas'), 'member'), (tests.id('oak'), tests.id('jonas'), 'member');
select set_eq('select pg_temp.counts()', array['elm: 3', 'oak: 2', 'ash: 1'], 'many in one statement are counted each');
update app.memberships set role = 'manager';
select set_eq('select pg_temp.counts()', array['elm: 3', 'oak: 2', 'ash: 1'], 'roles do not matter');
delete from app.memberships where user_id in (tests.id('maya'), tests.id('amara'));
select set_eq('select pg_temp.counts()', array['elm: 1', 'oak: 1', 'ash: 1'], 'nor do those count who have left');
select lives_ok($$ delete from app.users where id = tests.id('jonas') $$, 'a user whose row is deleted takes their memberships along');
select set_eq('select pg_temp.counts()', array['elm: 0', 'oak: 0', 'ash: 0'], 'and is counted no more');

select * from finish();
