select plan(9);

select tests.person('maya', 1);

create function pg_temp.change(p_change text)
returns text
language sql
return tests.violation_of('update app.users set ' || p_change);

select is(pg_temp.change($$ phone = '02025550101', phone_verified_at = app.now() $$), 'users_phone_is_e164', 'a phone number is E.164');
select is(pg_temp.change($$ phone = '+12025550101' $$), 'users_phone_is_verified', 'a phone is verified');
select is(pg_temp.change($$ phone_verified_at = app.now() $$), 'users_phone_is_verified', 'and only a phone is');
select is(
  pg_temp.change($$ phone = '+12025550101', phone_verified_at = app.now(), device_hash = '\x01' $$),
  'users_device_is_of_phoneless', 'a device opens no account that has a phone'
);
select is(pg_temp.change($$ ended_at = app.now(), device_hash = '\x01' $$), 'users_ended_hold_nothing', 'an ended account holds no device');
select is(
  pg_temp.change($$ ended_at = app.now(), phone = '+12025550101', phone_verified_at = app.now() $$),
  'users_ended_hold_nothing', 'and no phone'
);
select is(pg_temp.change($$ terms_version = '1' $$), 'users_terms_are_dated', 'terms are accepted at some time');
select is(
  pg_temp.change($$ terms_version = repeat('1', 41), terms_accepted_at = app.now() $$),
  'users_terms_version_length', 'a version of the terms is short'
);
select is(
  pg_temp.change($$ phone = '+12025550101', phone_verified_at = app.now(), terms_version = '1', terms_accepted_at = app.now() $$),
  null, 'all of it together is an account'
);

select * from finish();
