select plan(4);

select tests.person('one', 1);
select tests.person('two', 2);
select tests.person('three', 3);

create function pg_temp.refusal(p_name text, p_level integer)
returns jsonb
language plpgsql
as $$
begin
  perform tests.act_as(p_name);
  return tests.error_of(format('select app.require_level(%s)', p_level));
end
$$;

select is(
  pg_temp.refusal('one', 2),
  '{"state": "PT403", "code": "FORBIDDEN", "details": {"requiredLevel": 2, "level": 1, "nextStep": "profile_basics"}}',
  'an anonymous user is told to register'
);
select is(
  pg_temp.refusal('two', 3) -> 'details', '{"requiredLevel": 3, "level": 2, "nextStep": "media"}',
  'a registered one to finish the profile'
);
select is(
  pg_temp.refusal('two', 4) -> 'details', '{"requiredLevel": 4, "level": 2, "nextStep": "media"}', 'whatever the level required'
);
select is(
  pg_temp.refusal('three', 4) -> 'details', '{"requiredLevel": 4, "level": 3, "nextStep": "contacts"}',
  'a phone-confirmed one to sync contacts'
);

select * from finish();
