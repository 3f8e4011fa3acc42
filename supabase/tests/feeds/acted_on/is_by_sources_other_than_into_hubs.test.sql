select plan(9);

select tests.elm();
select tests.post('trams', 'lena');
delete from app.feed_events;

create function pg_temp.is_acted_on()
returns boolean
language plpgsql
as $$
declare
  v_is_acted_on boolean;
begin
  perform tests.act_as('maya');
  v_is_acted_on := app.acted_on(tests.id('trams'));
  perform set_config('role', 'none', true);
  return v_is_acted_on;
end
$$;

select tests.placed('trams', 'elm', p_kind => 'shared', p_by => 'jonas');
select ok(not pg_temp.is_acted_on(), 'not by a share into a Hub');
select tests.did('voted', 'maya', 'trams');
select ok(not pg_temp.is_acted_on(), 'nor by what one did oneself');
select tests.did('voted', 'lena', 'trams');
select ok(not pg_temp.is_acted_on(), 'nor by what somebody else did');
select tests.did('voted', 'jonas', 'trams', app.now() + interval '1 second');
select ok(not pg_temp.is_acted_on(), 'nor by what does not count yet');
select app.set_clock_offset('1 second');
select ok(pg_temp.is_acted_on(), 'once it does, by what members of one''s Hubs do');
select ok(not app.acted_on(tests.id('bikes')), 'with that post');
update app.feed_events set lost_at = app.now(), lost_by = '3';
select ok(not pg_temp.is_acted_on(), 'as long as it is not lost');
select tests.did('voted', 'lena', 'trams');
select tests.follow('maya', 'lena');
select ok(pg_temp.is_acted_on(), 'and by what those do whom one follows');
select set_eq($$ select tests.who_may('select app.acted_on(null)') $$, array['authenticated'], 'it is asked for in one''s own name');

select * from finish();
