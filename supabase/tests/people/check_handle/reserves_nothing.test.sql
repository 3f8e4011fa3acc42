select plan(2);

select tests.person('maya', 1);
select tests.person('jonas', 1);
select tests.act_as('maya');
select api.check_handle('{"username": "free"}');
select tests.act_as('jonas');
select is(api.check_handle('{"username": "free"}') -> 'available', 'true', 'what one asked about is free for others');
select lives_ok(
  $$ select api.save_profile_basics('{"termsAccepted": true, "username": "free", "fullName": "Jonas", "termsVersion": "1"}') $$, 'until somebody takes it'
);

select * from finish();
