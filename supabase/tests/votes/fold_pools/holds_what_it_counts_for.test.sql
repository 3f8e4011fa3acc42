select plan(3);

-- Without triggers, which would hold rows by themselves.
set local session_replication_role = replica;
select tests.elm();
select tests.hub('oak', 'lena');
select tests.slider(name, 'lena') from unnest(array['trams', 'bikes']) as name;
insert into app.vote_pools (post_id, hub_id) values (tests.id('trams'), tests.id('elm'));
insert into app.vote_slots (post_id, hub_id, slot, left_count) values (tests.id('trams'), tests.id('elm'), 1, 1);
select tests.sealed_total('bikes', 'oak', row(1, 0, 0, 0, 0));
select app.keep_ballot(tests.id('bikes'), 'left', tests.ids('oak'), tests.key());

create function pg_temp.held()
returns setof text
language sql
as $$
  select p.slider_text from app.posts as p where p.xmax <> '0'
  union all
  select h.name from app.hubs as h where h.xmax <> '0'
$$;

select is_empty('select pg_temp.held()', 'at first nothing is held');
select app.fold_pools(app.slot_generation());
select bag_eq('select pg_temp.held()', array['trams', 'elm'], 'who deletes a post or a Hub waits for the fold of its pools');
select app.settle_pending(tests.id('bikes'), array[tests.key()]);
select bag_eq('select pg_temp.held()', array['trams', 'elm', 'bikes', 'oak'], 'and for that of what is pending');

select * from finish();
