select plan(5);

select tests.elm();
select tests.hub('oak', 'maya');

create function pg_temp.make(p_caller text, p_count integer, p_hub text default 'elm')
returns text
language sql
as $$
  select tests.refusal_of(p_caller, format(
    'select app.put_invite_link(tests.id(%1$L), tests.hash(%2$L || n), null, interval %3$L) from generate_series(1, %4$s) as n',
    p_hub, p_caller || p_hub || p_count, '1 day', p_count
  ))
$$;

select is(array[pg_temp.make('maya', 60), pg_temp.make('amara', 40)], array[null, null]::text[], 'a Hub has 100 links a day');
select is(pg_temp.make('maya', 1), 'PT429 RATE_LIMITED', 'and no more');
select is(count(*)::integer, 100, 'of which nothing comes') from app.invite_links;
select is(pg_temp.make('maya', 1, 'oak'), null, 'each Hub by itself');
select tests.act_as('amara');
select is(
  tests.error_of($$ select app.put_invite_link(tests.id('elm'), tests.hash('door'), null, interval '1 day') $$) -> 'details',
  '{"retryAfterSeconds": 864}', 'then one each hundredth of a day'
);

select * from finish();
