select plan(4);

select tests.person(name, 4) from unnest(array['amara', 'lee_2', 'lee_1', 'leeann', 'lee_elsewhere']) as name;
update app.profiles set full_name = 'Lee Lee';
select tests.hub('elm', 'amara');
select tests.hub('ash', 'amara');
select tests.membership('ash', 'lee_elsewhere');
select tests.membership('elm', name) from unnest(array['lee_2', 'lee_1', 'leeann']) as name;
select tests.without_indexes();

create function pg_temp.expected()
returns uuid[]
language sql
as $$ select array(select id from unnest(tests.ids('amara', 'lee_1', 'lee_2', 'leeann')) as id order by id) $$;

select tests.act_as('amara');
select is(
  tests.listed(app.members_called(tests.in_hub('elm', '{"q": "lee"}')), 'userId'), pg_temp.expected(), 'four are called the same, or begin so too'
);
select is(app.members_called(tests.in_hub('elm', '{"q": "lee", "limit": 4}')) ->> 'nextCursor', null, 'all on a page');
select is(
  tests.listed_in_parts('list_members', tests.in_hub('elm', '{"q": "lee"}'), 'userId'), pg_temp.expected(), 'or on one after the other, each once'
);
select is(
  tests.listed_in_parts('list_members', tests.in_hub('elm', '{"q": "lee_"}'), 'userId'), tests.ids('lee_1', 'lee_2'), 'in alphabetical order'
);

select * from finish();
