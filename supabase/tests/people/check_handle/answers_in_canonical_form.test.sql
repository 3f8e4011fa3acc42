select plan(5);

select tests.person('maya');
select tests.person('jonas');
select tests.act_as('maya');

create function pg_temp.check(p_handle text)
returns jsonb
language sql
return api.check_handle(jsonb_build_object('username', p_handle));

select is(
  pg_temp.check('  @Ann_1 '), '{"username": "ann_1", "available": true, "reason": null, "alternatives": []}',
  'a handle is trimmed, without its @ and in lower case'
);
select is(
  pg_temp.check('@Jonas') - 'alternatives', '{"username": "jonas", "available": false, "reason": "taken"}', 'as whoever has it wrote it'
);
select is(pg_temp.check('Ad_Min') ->> 'reason', 'reserved', 'however it is written');
select is(pg_temp.check('@@maya') ->> 'reason', 'invalid', 'one @ is dropped, and not two');
select is(pg_temp.check('MAYA') -> 'available', 'true', 'one''s own handle is available');

select * from finish();
