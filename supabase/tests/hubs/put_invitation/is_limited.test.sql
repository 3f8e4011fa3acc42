select plan(8);

select app.set_clock_offset('-1 day');
select tests.elm();
select tests.hub('oak', 'amara');
select tests.membership('oak', 'maya');
select tests.person(name, 4) from unnest(array['ann', 'ben']) as name;
select tests.membership('elm', name) from unnest(array['ann', 'ben']) as name;

create function pg_temp.invite(p_caller text, p_count integer, p_hub text default 'elm')
returns text
language sql
as $$
  select tests.refusal_of(p_caller, format(
    $s$
      select app.put_invitation(tests.id(%1$L), '+1202555' || lpad(n::text, 4, '0'), tests.hash(%2$L || n))
      from generate_series(1, %3$s) as n
    $s$,
    p_hub, p_caller || p_hub || p_count, p_count
  ))
$$;

select is(pg_temp.invite('amara', 300), null, 'a member invites 300 phones a day');
select is(pg_temp.invite('amara', 1), 'PT429 RATE_LIMITED', 'and no more');
select is(pg_temp.invite('amara', 1, 'oak'), 'PT429 RATE_LIMITED', 'to whatever Hub');
select is((select count(*)::integer from app.hub_invitations), 300, 'of which nothing comes');
select is(
  array[pg_temp.invite('maya', 300), pg_temp.invite('jonas', 300), pg_temp.invite('ann', 100)], array[null, null, null]::text[],
  'a Hub''s members 1,000'
);
select tests.act_as('amara');
select is(
  tests.error_of($$ select app.put_invitation(tests.id('elm'), '+12025550100', tests.hash('token')) $$) -> 'details', '{"retryAfterSeconds": 288}',
  'then one each three hundredth of a day'
);
select tests.act_as('ben');
select is(
  tests.error_of($$ select app.put_invitation(tests.id('elm'), '+12025550100', tests.hash('token')) $$),
  '{"state": "PT429", "code": "RATE_LIMITED", "details": {"retryAfterSeconds": 87}}', 'and no more, but one each thousandth'
);
reset role;
select app.set_clock_offset('0');
select is(pg_temp.invite('amara', 300), null, 'the next day is another');

select * from finish();
