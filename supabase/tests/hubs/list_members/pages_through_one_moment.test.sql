select plan(2);

select tests.elm();
select tests.without_indexes();
select tests.act_as('jonas');
create temporary table answers as select tests.listed(api.list_members(tests.in_hub('elm')), 'userId') as all_of_them;
select is(all_of_them, array(select m.user_id from app.memberships as m order by m.user_id desc), 'who came at one time') from answers;
select is(tests.listed_in_parts('list_members', tests.in_hub('elm'), 'userId'), all_of_them, 'is on pages as on one') from answers;

select * from finish();
