select plan(6);

select tests.elm();
select tests.hub('ash', 'amara');
select tests.person(name, 4) from unnest(array['two', 'three', 'one']) as name;
select tests.invitation(name, 'elm', 'amara', name), tests.link(name, 'elm'), tests.join_request(name, 'elm', name)
from unnest(array['two', 'three', 'one']) as name;
select tests.invitation('elsewhere', 'ash', 'amara', 'one'), tests.link('elsewhere', 'ash'), tests.join_request('elsewhere', 'ash', 'one');
select tests.without_indexes();

create function pg_temp.in_order()
returns uuid[]
language sql
return array(select id from unnest(tests.ids('one', 'two', 'three')) as id order by id desc);

create function pg_temp.in_parts(p_operation text)
returns uuid[]
language sql
return tests.listed_in_parts(p_operation, tests.in_hub('elm'));

select tests.act_as('amara');
select is(pg_temp.in_parts('list_invitations'), pg_temp.in_order(), 'invitations of one moment are in the order of their ids');
select is(pg_temp.in_parts('list_invite_links'), pg_temp.in_order(), 'so are links');
select is(pg_temp.in_parts('list_join_requests'), pg_temp.in_order(), 'and requests to join');
reset role;
update app.hub_invitations set created_at = app.now() - interval '1 hour' where id = (pg_temp.in_order())[1];
update app.invite_links set created_at = app.now() - interval '1 hour' where id = (pg_temp.in_order())[1];
update app.join_requests set created_at = app.now() - interval '1 hour' where id = (pg_temp.in_order())[1];
select tests.act_as('amara');
select is((pg_temp.in_parts('list_invitations'))[3], (pg_temp.in_order())[1], 'the oldest comes last whatever its id');
select is((pg_temp.in_parts('list_invite_links'))[3], (pg_temp.in_order())[1], 'so does a link');
select is((pg_temp.in_parts('list_join_requests'))[3], (pg_temp.in_order())[1], 'and a request to join');

select * from finish();
