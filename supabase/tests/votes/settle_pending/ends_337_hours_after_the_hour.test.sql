select plan(5);

select tests.elm();
select tests.slider('trams', 'lena');
select tests.slider('bikes', 'lena');
select set_config('tests.hour', date_trunc('hour', now(), 'UTC')::text, true);
create function pg_temp.at(p_since_the_hour interval)
returns void
language sql
as $$ select app.set_clock_offset(current_setting('tests.hour')::timestamptz + p_since_the_hour - now()) $$;

select tests.sealed_total(name, 'elm', row(1, 0, 0, 0, 0)) from unnest(array['trams', 'bikes']) as name;
select pg_temp.at('336 hours 59 minutes 59.999 seconds');
select is(app.pending_since() < current_setting('tests.hour')::timestamptz, true, 'until then it is pending');
select tests.placed('trams', 'elm', app.now(), 'shared', 'jonas');
select app.settle_pending(tests.id('trams'), array[tests.key()]);
select is(tests.counts('trams', 'elm'), '(1,0,0,0,0)', 'shared before, it counts');
select pg_temp.at('337 hours');
select tests.placed('bikes', 'elm', app.now(), 'shared', 'jonas');
select app.settle_pending(tests.id('bikes'), array[tests.key()]);
select is(tests.counts('bikes', 'elm'), null, 'shared then, it does not');
select is_empty('select from app.pending_totals', 'and never will');
select is(app.pending_since(), app.now() - interval '337 hours', 'to the hour in which it was cast');

select * from finish();
