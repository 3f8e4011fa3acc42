select plan(4);

select tests.person('three', 3);
select tests.person('four', 4);
prepare to_hub as select api.create_post(jsonb_build_object('thoughtText', 'Trams', 'visibility', 'public_hub', 'hubIds', jsonb_build_array(tests.id('elm'))));
prepare to_locked_hub as select api.create_post(jsonb_build_object('thoughtText', 'Trams', 'visibility', 'private_locked_hub', 'hubIds', jsonb_build_array(tests.id('elm'))));

select tests.act_as('three');
select is(
  tests.error_of('execute to_hub') -> 'details', '{"requiredLevel": 4, "level": 3, "nextStep": "contacts"}', 'a Hub target needs level 4'
);
select tests.act_as('four');
select throws_ok('to_hub', 'PT403', 'FORBIDDEN', 'and membership');
select throws_ok('to_locked_hub', 'PT403', 'FORBIDDEN', 'in a locked Hub too');
select is_empty('select from app.posts', 'nothing is published');

select * from finish();
