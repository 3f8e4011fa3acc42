select plan(7);

select tests.elm();
select tests.hub('ash', 'lena');
select tests.membership('ash', 'jonas');
update app.memberships
set joined_at = app.now() - case user_id when tests.id('amara') then interval '2 days' when tests.id('maya') then interval '3 days' else interval '1 day' end
where hub_id = tests.id('elm');

select tests.act_as('jonas');
create temporary table answers as select api.list_members(tests.in_hub('elm')) as page;
select is(tests.listed(page, 'userId'), tests.ids('jonas', 'amara', 'maya'), 'who joined last comes first') from answers;
select is(page ->> 'nextCursor', null, 'all on a page') from answers;
select is(page #> '{items,0}', app.listed_members(tests.id('elm'), tests.ids('jonas')) -> 0, 'as members see each other') from answers;
select is(
  tests.listed_in_parts('list_members', tests.in_hub('elm'), 'userId'), tests.ids('jonas', 'amara', 'maya'), 'or one after the other'
);
select is(tests.listed(api.list_admins(tests.in_hub('elm')), 'userId'), tests.ids('amara', 'maya'), 'admins and managers have a list of their own');
select is(tests.listed_in_parts('list_admins', tests.in_hub('elm'), 'userId'), tests.ids('amara', 'maya'), 'in the same order');
select is(
  tests.listed(api.list_admins(tests.in_hub('elm', '{"q": "maya"}')), 'userId'), tests.ids('amara', 'maya'), 'in which nobody is looked for'
);

select * from finish();
