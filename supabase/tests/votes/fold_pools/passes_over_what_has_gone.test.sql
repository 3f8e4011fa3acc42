select plan(4);

select tests.elm();
select tests.hub('oak', 'lena');
select tests.slider(name, 'lena') from unnest(array['trams', 'bikes']) as name;
select tests.placed(post, hub) from unnest(array['trams', 'bikes']) as post cross join unnest(array['elm', 'oak']) as hub;
select tests.vote('jonas', name, 'left') from unnest(array['trams', 'bikes']) as name;
select tests.vote('lena', name, 'right') from unnest(array['trams', 'bikes']) as name;
delete from app.posts where id = tests.id('bikes');
delete from app.hubs where id = tests.id('oak');
select bag_eq('select tests.pools()', array['trams (0,1,0,1,0)', 'trams in elm (0,1,0,0,0)', 'trams (0,0,0,1,0)'], 'a post and a Hub go, and what was counted stays for a moment');
select tests.fold();
select bag_eq('select tests.pools()', array['trams (0,1,0,1,0)', 'trams in elm (0,1,0,0,0)'], 'the fold keeps what is there');
select is_empty('select from app.vote_slots union all select from app.fresh_votes union all select from app.pending_ballots', 'and nothing of what is not');
select set_eq('select post_id from app.vote_pools', tests.ids('trams'), 'in no pool');

select * from finish();
