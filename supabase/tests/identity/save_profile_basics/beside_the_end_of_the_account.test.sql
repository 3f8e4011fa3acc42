select plan(1);

select tests.person('maya', 2);
insert into app.departures (user_id) values (tests.id('maya'));
select is(
  tests.refusal_of('maya', $$ select api.save_profile_basics('{"fullName": "Maya", "username": "maya_again", "termsAccepted": true, "currentTermsVersion": "1"}') $$),
  null, 'saving profile basics while one''s account ends raises no policy violation'
);

select * from finish();
