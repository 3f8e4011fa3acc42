select plan(5);

select tests.elm();
select tests.hub('ash', 'lena');

create function pg_temp.listed(variadic p_names text[])
returns uuid[]
language sql
return tests.listed(jsonb_build_object('items', app.listed_members(tests.id('elm'), tests.ids(variadic p_names))), 'userId');

select tests.act_as('jonas');
select is(pg_temp.listed('maya', 'jonas', 'amara'), tests.ids('maya', 'jonas', 'amara'), 'as they are given');
select is(pg_temp.listed('amara', 'maya', 'jonas'), tests.ids('amara', 'maya', 'jonas'), 'whatever that is');
select is(pg_temp.listed('unknown', 'amara'), tests.ids('amara'), 'nobody is not listed');
select is(app.listed_members(tests.id('elm'), '{}'), '[]', 'nobody is nobody');
select tests.act_as('lena');
select is(pg_temp.listed('amara', 'maya', 'jonas'), '{}', 'to an outsider nobody is listed');

select * from finish();
