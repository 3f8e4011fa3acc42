select plan(8);

select tests.person('maya', 4);
select tests.person('jonas', 4);
select tests.session('jonas');
select tests.device_token('his', 'jonas');
select tests.upload('jonas');
insert into app.contacts (user_id, place, name, phone_numbers) values (tests.id('jonas'), 1, 'Ann', array['+12025550101']);
insert into app.default_feed_users (user_id) values (tests.id('jonas'));
select app.use_meter('handle checks', tests.id('jonas')::text, 60, interval '1 minute');
insert into gateway.idempotent_answers (user_id, key, fingerprint, answer) values (tests.id('jonas'), 'key', 'f', '{}');
select app.erase_person(tests.id('maya'));

select is(ended_at, null, 'another account goes on') from app.users where id = tests.id('jonas');
select isnt_empty('select from ' || kept, 'with what it has in ' || kept)
from unnest(array[
  'app.profiles', 'app.refresh_tokens', 'app.device_tokens', 'app.contacts', 'app.default_feed_users', 'app.rate_meters',
  'gateway.idempotent_answers'
]) as kept;

select * from finish();
