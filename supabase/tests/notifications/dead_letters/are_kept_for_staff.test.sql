select plan(11);

select is_empty(format('select tests.who_may(%L)', verb), 'no role may: ' || verb)
from unnest(array['select from app.dead_letters', 'insert into app.dead_letters default values', 'update app.dead_letters set failure = failure', 'delete from app.dead_letters']) as verb;
select tests.person('maya');
select tests.notification('hers', 'maya');
create function pg_temp.violation(p_token_hash bytea, p_failure text)
returns text
language sql
as $$
  select tests.violation_of(format(
    'insert into app.dead_letters (notification_id, token_hash, attempt_count, failure) values (%L, %L, 10, %L)', tests.id('hers'), p_token_hash, p_failure
  ))
$$;
select is(pg_temp.violation(null, 'XX000'), null, 'of the stream');
select is(pg_temp.violation(null, 'XX001'), 'dead_letters_notification_id_token_hash_key', 'one');
select is(pg_temp.violation(tests.hash('one'), repeat('x', 200)), null, 'of a device');
select is(pg_temp.violation(tests.hash('one'), 'quota'), 'dead_letters_notification_id_token_hash_key', 'one');
select is(pg_temp.violation(tests.hash('two'), repeat('x', 201)), 'dead_letters_failure_length', 'a failure is a code');
select is(pg_temp.violation(tests.hash('two'), ''), 'dead_letters_failure_length', 'and is one');
delete from app.notifications;
select is_empty('select from app.dead_letters', 'they go with their notification');

select * from finish();
