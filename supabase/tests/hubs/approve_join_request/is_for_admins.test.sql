select plan(8);

select tests.elm();
select tests.person('ben', 4);
select tests.hub('ash', 'ben');
select tests.join_request('open', 'elm', 'ben');
select tests.join_request('elsewhere', 'ash', 'lena');
select tests.join_request('decided', 'elm', 'ben', 'rejected');

create function pg_temp.refusals(p_operation text, p_name text, p_hub text default 'elm')
returns jsonb
language sql
return tests.refusals(p_operation, tests.in_hub(p_hub, jsonb_build_object('requestId', tests.id(p_name))));

create function pg_temp.expected(p_amara text)
returns jsonb
language sql
return tests.all_but_amara('JOIN_REQUEST_NOT_FOUND', 'FORBIDDEN') || jsonb_strip_nulls(jsonb_build_object('amara', p_amara));

select is(pg_temp.refusals('approve_join_request', 'open'), pg_temp.expected(null), 'an outsider knows of none');
select is(pg_temp.refusals('reject_join_request', 'open'), pg_temp.expected(null), 'to reject either');
select is(pg_temp.refusals('approve_join_request', 'elsewhere'), pg_temp.expected('JOIN_REQUEST_NOT_FOUND'), 'nor is there one of another Hub');
select is(pg_temp.refusals('reject_join_request', 'unknown'), pg_temp.expected('JOIN_REQUEST_NOT_FOUND'), 'or one that never was');
select is(pg_temp.refusals('approve_join_request', 'decided'), pg_temp.expected('JOIN_REQUEST_NOT_PENDING'), 'what is decided is decided');
select is(pg_temp.refusals('reject_join_request', 'decided'), pg_temp.expected('JOIN_REQUEST_NOT_PENDING'), 'for good');
select is(pg_temp.refusals('approve_join_request', 'open', 'oak'), tests.everybody('HUB_NOT_FOUND'), 'no Hub has any');
select is(pg_temp.refusals('reject_join_request', 'open', 'oak'), tests.everybody('HUB_NOT_FOUND'), 'to reject');

select * from finish();
