select plan(4);

select tests.elm();
select tests.invitation('open', 'elm', 'jonas', 'one');
select tests.invitation('used', 'elm', 'jonas', 'one', 'accepted');
select tests.invitation('over', 'elm', 'jonas', 'two', 'pending', app.now());
select tests.invitation('of maya', 'elm', 'maya', 'one', 'declined');
insert into app.hub_profiles (user_id, display_name) values (tests.id('jonas'), 'Jon of the trees');

create function pg_temp.listed(variadic p_names text[])
returns jsonb
language sql
return app.listed_invitations(tests.id('elm'), array(select (null, id)::app.list_entry from unnest(tests.ids(variadic p_names)) as id));

select tests.act_as('amara');
select is(
  pg_temp.listed('open') -> 0,
  jsonb_build_object(
    'id', tests.id('open'), 'phoneNumber', tests.phone_of('one'), 'state', 'pending', 'inviteUrl', null, 'shareText', null,
    'expiresAt', app.iso(app.now() + interval '7 days'),
    'invitedBy', jsonb_build_object('userId', tests.id('jonas'), 'displayName', 'Jon of the trees')
  ),
  'without the address, by whoever is called so in the Hub'
);
select is(
  array(select item ->> 'state' from jsonb_array_elements(pg_temp.listed('over', 'used', 'of maya', 'open', 'unknown')) as item),
  '{expired,accepted,declined,pending}', 'in the order they are given, as of now'
);
select is(app.listed_invitations(tests.id('elm'), '{}'), '[]', 'none are none');
reset role;
delete from app.profiles where user_id = tests.id('jonas');
select tests.act_as('amara');
select is(pg_temp.listed('open') #>> '{0,invitedBy,displayName}', '', 'whose account is ending has no name');

select * from finish();
