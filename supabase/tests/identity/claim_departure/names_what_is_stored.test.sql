select plan(4);

select tests.person('maya', 3);
select tests.stored_object('photo', 'maya');
select tests.person('jonas', 3);
select tests.stored_object('his', 'jonas');
select app.end_user(tests.id('maya'));
select is(
  objects, jsonb_build_array(jsonb_build_object('id', tests.id('photo'), 'bucket', 'uploads', 'objectKey', 'photo')),
  'the objects of whoever left are told, and nobody else''s'
)
from app.claim_departure();

delete from app.stored_objects;
update app.departures set due_at = app.now();
select is(objects, '[]', 'or that there are none') from app.claim_departure();

insert into app.stored_objects (owner_id, bucket, object_key) select tests.id('maya'), 'uploads', n::text from generate_series(1, 1001) as n;
update app.departures set due_at = app.now();
select is(jsonb_array_length(objects), 1000, 'many are told a part at a time') from app.claim_departure();

update app.departures set due_at = app.now(), merged_into_id = tests.id('jonas');
select is(objects, '[]', 'what is somebody else''s now stays in storage') from app.claim_departure();

select * from finish();
