select plan(3);

select tests.person('maya', 4);
select tests.upload('maya');
select tests.act_as('maya');
select is(
  api.store_contacts(jsonb_build_object('uploadId', tests.id('upload of maya'), 'contacts', '[
    {"name": "Zoe", "phoneNumbers": ["+12025550101", "+12025550102"], "thumbnail": "iVBORw=="},
    {"name": "", "phoneNumbers": []},
    {"name": "Ann", "phoneNumbers": ["+12025550101"]}
  ]'::jsonb)),
  jsonb_build_object('uploadId', tests.id('upload of maya'), 'state', 'stored', 'contactCount', 3),
  'what was stored is counted'
);
select results_eq(
  'select user_id, place, name, phone_numbers, thumbnail from app.contacts order by place',
  $$
    values
      (tests.id('maya'), 1, 'Zoe', array['+12025550101', '+12025550102'], '\x89504e47'::bytea),
      (tests.id('maya'), 2, '', '{}'::text[], null),
      (tests.id('maya'), 3, 'Ann', array['+12025550101'], null)
  $$,
  'contacts lie as they came'
);
select is(stored_at, app.now(), 'as of now') from app.contact_snapshots;

select * from finish();
