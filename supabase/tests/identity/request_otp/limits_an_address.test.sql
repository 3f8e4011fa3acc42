select plan(6);

create function pg_temp.request(p_name text, p_address text default 'office', p_is_test_number boolean default false)
returns jsonb
language sql
return tests.error_of(format('select tests.request_code(%L, %L, %L, %L)', p_name, '1234', p_is_test_number, p_address));

select is_empty(
  $$ select from unnest(array['ann', 'ben', 'cleo', 'dan']) as name where pg_temp.request(name) is not null $$,
  'as many phones as the limit get their code'
);
select is(
  pg_temp.request('eve'), '{"state": "PT429", "code": "RATE_LIMITED", "details": {"retryAfterSeconds": 900}}',
  'the next waits for its share of the hour'
);
select is(pg_temp.request('tester', p_is_test_number => true) ->> 'code', 'RATE_LIMITED', 'test numbers wait with it');
select is(pg_temp.request('eve', 'home'), null, 'other addresses do not wait');
select is(pg_temp.request('finn', null), null, 'nor does what has no address to count by');
select app.set_clock_offset('15 minutes');
select is(pg_temp.request('gus'), null, 'then one more is sent');

select * from finish();
