select plan(3);

select tests.person('maya');

create function pg_temp.keep(p_key text)
returns text
language sql
return tests.violation_of(format('insert into gateway.idempotent_answers (user_id, key, fingerprint) values (tests.id(%L), %L, %L)', 'maya', p_key, 'f'));

select is(pg_temp.keep(''), 'idempotent_answers_key_is_short', 'an empty key is none');
select is(pg_temp.keep(repeat('k', 129)), 'idempotent_answers_key_is_short', 'a key has 128 characters at most');
select is(pg_temp.keep(repeat('k', 128)), null, 'and may have as many');

select * from finish();
