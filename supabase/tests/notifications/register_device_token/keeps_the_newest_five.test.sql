select plan(3);

select tests.person('maya');
select tests.person('jonas');

create function pg_temp.register_at(p_offset interval, p_owner text, p_token text)
returns void
language plpgsql
as $$
begin
  perform app.set_clock_offset(p_offset);
  perform tests.act_as(p_owner);
  perform tests.register_device(p_token);
  perform set_config('role', 'none', true);
end
$$;

create function pg_temp.device_tokens()
returns setof bytea
language sql
begin atomic
  select token_hash from app.device_tokens where user_id = tests.id('maya');
end;

select pg_temp.register_at('0', 'jonas', 'his');
select pg_temp.register_at(n * interval '1 minute', 'maya', n::text) from generate_series(1, 5) as n;
select is(count(*)::integer, 5, 'a person has five devices') from pg_temp.device_tokens();
select pg_temp.register_at('6 minutes', 'maya', '1');
select pg_temp.register_at('7 minutes', 'maya', '6');
select set_eq(
  'select pg_temp.device_tokens()', $$ select tests.hash(n) from unnest(array['1', '3', '4', '5', '6']) as n $$,
  'a sixth takes the place of the one that was refreshed longest ago'
);
select isnt_empty($$ select from app.device_tokens where user_id = tests.id('jonas') $$, 'and not of somebody else''s');

select * from finish();
