select plan(7);

select tests.elm();
select tests.person(name) from unnest(array['ann', 'ben', 'cleo', 'dora']) as name;
select tests.follow('ann', 'lena');
select tests.post('locked', 'ben', 'private_locked_hub');
select tests.follow('jonas', 'cleo');
select tests.post('trams', 'lena');

create function pg_temp.has_sources(p_name text)
returns boolean
language plpgsql
as $$
declare
  v_has_sources boolean;
begin
  perform tests.act_as(p_name);
  v_has_sources := app.has_sources();
  perform set_config('role', 'none', true);
  return v_has_sources;
end
$$;

select ok(pg_temp.has_sources('ann'), 'who follows somebody');
select ok(pg_temp.has_sources('maya'), 'who is in a Hub');
select ok(pg_temp.has_sources('ben'), 'who has published anything at all');
select ok(not pg_temp.has_sources('cleo'), 'not who is followed');
select ok(not pg_temp.has_sources('dora'), 'nor who has done nothing');
select tests.act_as_guest();
select ok(not app.has_sources(), 'nor a guest');
reset role;
select set_eq('select tests.who_may(''select app.has_sources()'')', array['anon', 'authenticated'], 'it is asked for each of them');

select * from finish();
