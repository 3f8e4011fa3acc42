select plan(6);

select tests.elm();
select tests.invitation('of ' || n, 'elm', 'amara', n::text), tests.link('link ' || n, 'elm') from generate_series(1, 31) as n;
insert into app.users (id) select tests.id(n::text) from generate_series(1, 31) as n;
insert into app.profiles (user_id, username, full_name) select tests.id(n::text), 'user_' || n, 'Somebody' from generate_series(1, 31) as n;
select tests.join_request('request ' || n, 'elm', n::text) from generate_series(1, 31) as n;

select tests.act_as('amara');
select is(cardinality(tests.listed(api.list_invitations(tests.in_hub('elm')))), 30, 'unless another number is asked for');
select is(cardinality(tests.listed(api.list_invitations(tests.in_hub('elm', '{"limit": 100}')))), 31, 'up to 100');
select is(cardinality(tests.listed(api.list_invite_links(tests.in_hub('elm')))), 30, 'so also of links');
select is(cardinality(tests.listed(api.list_invite_links(tests.in_hub('elm', '{"limit": 100}')))), 31, 'up to 100');
select is(cardinality(tests.listed(api.list_join_requests(tests.in_hub('elm')))), 30, 'and of requests to join');
select is(cardinality(tests.listed(api.list_join_requests(tests.in_hub('elm', '{"limit": 100}')))), 31, 'up to 100');

select * from finish();
