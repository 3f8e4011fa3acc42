select plan(10);

select tests.elm();
select tests.hub('oak', 'lena');

create function pg_temp.refusal_of(p_caller text, p_user text, p_hub text default 'elm')
returns text
language sql
as $$ select tests.refusal_of(p_caller, format('select app.remove_member(tests.id(%L), tests.id(%L))', p_hub, p_user)) $$;

select is(pg_temp.refusal_of('maya', 'jonas'), 'PT403 FORBIDDEN', 'a manager removes nobody');
select is(pg_temp.refusal_of('jonas', 'jonas'), 'PT403 FORBIDDEN', 'a member not even themselves');
select is(pg_temp.refusal_of('lena', 'jonas'), 'PT404 MEMBER_NOT_FOUND', 'to an outsider there is no member');
select is(pg_temp.refusal_of('amara', 'lena', 'oak'), 'PT404 MEMBER_NOT_FOUND', 'and an admin is one in other Hubs');
select is(pg_temp.refusal_of(null, 'jonas'), '42501', 'a guest removes nobody');
select is(pg_temp.refusal_of('amara', 'lena'), 'PT404 MEMBER_NOT_FOUND', 'nor an admin who is no member of this Hub');
select is(pg_temp.refusal_of('amara', 'nobody'), 'PT404 MEMBER_NOT_FOUND', 'or who is not there');
select is(pg_temp.refusal_of('amara', 'amara'), 'PT409 LAST_ADMIN', 'or themselves, as the last one');
select bag_eq($$ select tests.members('elm') $$, array['amara: admin', 'maya: manager', 'jonas: member'], 'all stay');
select set_eq($$ select tests.who_may('select app.remove_member(null, null)') $$, array['authenticated'], 'who has a session may try');

select * from finish();
