select plan(7);

select tests.elm();
select tests.hub('oak', 'lena');
select tests.slider(name, 'lena') from unnest(array['trams', 'bikes', 'boats']) as name;
select tests.vote('jonas', 'trams', 'right');
select tests.fold();
select tests.vote('maya', 'trams', 'left');
select tests.sealed_total('bikes', 'elm', row(1, 0, 0, 0, 0), 1), tests.sealed_total('boats', 'oak', row(1, 0, 0, 0, 0), 1);
select tests.placed('boats', 'elm', p_kind => 'shared', p_by => 'jonas');
select tests.placed('bikes', 'elm', p_kind => 'shared', p_by => 'jonas');
select set_config('tests.hour', date_trunc('hour', now(), 'UTC')::text, true);
create function pg_temp.prune_at(p_since_the_hour interval)
returns void
language sql
as $$
  select app.set_clock_offset(current_setting('tests.hour')::timestamptz + p_since_the_hour - now());
  select app.prune_pending_totals()
$$;

select pg_temp.prune_at('336 hours 59 minutes 59.999 seconds');
select set_eq('select post_id from app.pending_totals', tests.ids('trams', 'bikes', 'boats'), 'until its deadline a total is kept');
select isnt_empty('select from app.pending_ballots', 'and so is a ballot');
select results_eq('select post_id from app.promotions', tests.ids('bikes'), 'and that something is to be promoted, while there is any where it was shared');
select pg_temp.prune_at('337 hours');
select set_eq('select post_id from app.pending_totals', tests.ids('bikes', 'boats'), 'then the total is gone');
select is_empty('select from app.pending_ballots', 'and the ballot');
select isnt_empty('select from app.vote_receipts', 'the receipt stays');
select set_eq($$ select tests.who_may('select app.prune_pending_totals()') $$, array['opine_worker'], 'the worker does this');

select * from finish();
