select plan(10);

select tests.elm();
select tests.person('user_' || n, 4) from generate_series(101, 128) as n;
select tests.membership('elm', 'user_' || n, 'manager') from generate_series(101, 128) as n;

create function pg_temp.count_of(p_operation text, p_args jsonb default '{}')
returns integer
language plpgsql
as $$
declare
  v_page jsonb;
begin
  execute format('select api.%I($1)', p_operation) into v_page using tests.in_hub('elm', p_args);
  return jsonb_array_length(v_page -> 'items');
end
$$;

select tests.act_as('jonas');
select is(pg_temp.count_of('list_members'), 30, 'unless another number is asked for');
select is(pg_temp.count_of('list_members', '{"limit": 100}'), 31, 'which may be up to 100');
select is(tests.refusal('list_members', tests.in_hub('elm', '{"limit": 101}')), 'VALIDATION_FAILED', 'and no more');
select is(tests.refusal('list_members', tests.in_hub('elm', '{"cursor": "?"}')), 'VALIDATION_FAILED', 'behind no foreign cursor');
select is(pg_temp.count_of('list_members', '{"q": "user_1", "limit": 100}'), 28, 'so also of whom one looks for');
select is(tests.refusal('list_members', tests.in_hub('elm', '{"q": "a", "limit": 101}')), 'VALIDATION_FAILED', 'who are 100 at most');
select is(tests.refusal('list_members', tests.in_hub('elm', '{"q": "a", "cursor": "?"}')), 'VALIDATION_FAILED', 'behind no foreign cursor either');
reset role;
select tests.person('user_' || n, 4) from generate_series(129, 131) as n;
select tests.membership('elm', 'user_' || n, 'manager') from generate_series(129, 131) as n;
select tests.act_as('jonas');
select is(pg_temp.count_of('list_members', '{"q": "user_1"}'), 30, 'or 30');
select is(pg_temp.count_of('list_admins'), 30, 'so also of who leads');
select is(pg_temp.count_of('list_admins', '{"limit": 100}'), 33, 'up to 100');

select * from finish();
