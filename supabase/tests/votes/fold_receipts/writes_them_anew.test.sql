select plan(9);

select tests.elm();
select tests.slider(name, 'lena') from unnest(array['trams', 'bikes']) as name;
select tests.person('voter_' || n) from generate_series(1, 20) as n;
select app.set_clock_offset('-1 day');
select tests.vote('jonas', 'trams', 'left');
select tests.fold();
-- Each vote runs in a transaction of its own within that of the test.
create function pg_temp.vote_alone(p_voter text, p_post text)
returns void
language plpgsql
as $$
begin
  perform tests.vote(p_voter, p_post, 'left', '1 minute');
exception when division_by_zero then raise;
end
$$;
create function pg_temp.votes_in_turn()
returns void
language plpgsql
as $$
begin
  for v_n in 1..20 loop
    perform app.set_clock_offset(v_n * interval '1 second');
    perform pg_temp.vote_alone('voter_' || v_n, 'trams');
  end loop;
end
$$;
select pg_temp.votes_in_turn();
create temporary table before as select user_id, xmin as written_by, ctid as place from app.vote_receipts;
create temporary table acts_before as select actor_id, xmin as written_by, ctid as place from app.feed_events where kind = 'voted' and hub_id is null;
select is(count(distinct written_by::text), 20::bigint, 'each is of the transaction of its vote') from before where user_id <> tests.id('jonas');
select is(count(distinct written_by::text), 20::bigint, 'and so is each act') from acts_before where actor_id <> tests.id('jonas');
select app.fold_receipts();

select is(count(distinct r.xmin::text), 1::bigint, 'then all are of one')
from app.vote_receipts as r
where r.user_id <> tests.id('jonas');
select is_empty('select from before join app.vote_receipts as r using (user_id) where user_id <> tests.id(''jonas'') and r.xmin = written_by', 'of none of the votes');
select isnt(
  array(select user_id from app.vote_receipts as r where user_id <> tests.id('jonas') order by r.ctid),
  array(select user_id from before where user_id <> tests.id('jonas') order by place), 'in another order'
);
select isnt(
  array(select user_id from app.vote_receipts as r where user_id <> tests.id('jonas') order by r.ctid),
  array(select user_id from app.vote_receipts where user_id <> tests.id('jonas') order by user_id), 'that is by lot'
);
select is(count(distinct e.xmin::text), 1::bigint, 'all acts as well') from app.feed_events as e where kind = 'voted' and actor_id <> tests.id('jonas');
select is_empty(
  'select from acts_before join app.feed_events as e using (actor_id) where actor_id <> tests.id(''jonas'') and e.kind = ''voted'' and e.xmin = written_by', 'of none of the votes'
);
select is_empty(
  'select from before join app.vote_receipts as r using (user_id) where user_id = tests.id(''jonas'') and r.ctid <> place', 'those of former folds stay as they are'
);

select * from finish();
