select plan(5);

select tests.elm();
select tests.hub('ash', 'lena');
select tests.invitation('of maya', 'elm', 'maya', 'one');
select tests.invitation('of jonas', 'elm', 'jonas', 'two');
select tests.invitation('elsewhere', 'ash', 'lena', 'three');
update app.hub_invitations set created_at = app.now() - interval '1 hour' where id = tests.id('of maya');

create function pg_temp.list()
returns uuid[]
language sql
return tests.listed(api.list_invitations(tests.in_hub('elm')));

select tests.act_as('amara');
select is(pg_temp.list(), tests.ids('of jonas', 'of maya'), 'an admin sees all of the Hub, newest first');
select is(tests.listed_in_parts('list_invitations', tests.in_hub('elm')), pg_temp.list(), 'or one after the other');
select tests.act_as('maya');
select is(pg_temp.list(), tests.ids('of jonas', 'of maya'), 'as does a manager');
select tests.act_as('jonas');
select is(pg_temp.list(), tests.ids('of jonas'), 'a member sees their own');
reset role;
select tests.membership('ash', 'jonas');
select tests.person('two', 4);
select tests.membership('elm', 'two');
select tests.act_as('two');
select is(pg_temp.list(), '{}', 'and not what names them');

select * from finish();
