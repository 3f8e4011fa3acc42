select plan(3);

select tests.person('maya');
select app.open_session(tests.id('maya'), tests.sign_in('token') || '{"deviceKind": "web"}');
select is(device_kind, 'web', 'a session knows on what sort of device it began') from app.sessions;
select is_empty(
  $$
    select from unnest(array['ios', 'android', 'web', 'other']) as kind
    where tests.violation_of(format('update app.sessions set device_kind = %L', kind)) is not null
  $$,
  'there are four sorts'
);
select is(
  tests.violation_of($$ update app.sessions set device_kind = 'Mozilla/5.0' $$), 'sessions_device_kind_is_known',
  'and nothing else of the device is kept'
);

select * from finish();
