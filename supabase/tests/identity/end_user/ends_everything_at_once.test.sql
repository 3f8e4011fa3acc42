select plan(5);

select tests.person('maya', 3);
select tests.session('maya');
select tests.person('jonas', 3);
select tests.session('jonas');
select app.end_user(tests.id('maya'));

select results_eq(
  $$ select phone::text, device_hash, ended_at from app.users where id = tests.id('maya') $$,
  $$ values (null::text, null::bytea, app.now()) $$,
  'the account ends now, without phone and device'
);
select results_eq('select user_id from app.sessions', array[tests.id('jonas')], 'its sessions end, others'' go on');
select is(count(*)::integer, 1, 'and its refresh tokens are void') from app.refresh_tokens;
select results_eq('select username collate "default" from app.profiles', array['jonas'], 'its public profile is gone');
select lives_ok($$ insert into app.users (phone, phone_verified_at) values (tests.phone_of('maya'), app.now()) $$, 'its phone is free');

select * from finish();
