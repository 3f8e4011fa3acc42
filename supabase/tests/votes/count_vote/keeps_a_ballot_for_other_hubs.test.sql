select plan(7);

select tests.elm();
select tests.hub('oak', 'jonas');
select tests.hub('fir', 'jonas');
select tests.hub('ash', 'lena');
select tests.person('nina', 2);
select tests.slider(name, 'lena') from unnest(array['trams', 'bikes', 'boats', 'cars', 'trains']) as name;
select tests.placed('trams', 'elm');

select tests.vote('jonas', 'trams', 'right');
select results_eq('select tests.ballots()', array['trams (0,0,0,1,0) for fir, oak'], 'for those of the voter''s Hubs where the post is not');
select is_empty($$ select from app.pending_ballots where sealed::text ~ encode(convert_to('right', 'UTF8'), 'hex') $$, 'sealed');
delete from app.pending_ballots;
select tests.vote('jonas', 'bikes', 'left');
select results_eq('select tests.ballots()', array['bikes (0,1,0,0,0) for elm, fir, oak'], 'all of them where it is in none');
delete from app.pending_ballots;
select tests.vote('amara', 'trams', 'left');
select is_empty('select from app.pending_ballots', 'none where it is in each');
select tests.vote('nina', 'boats', 'left');
select is_empty('select from app.pending_ballots', 'none of who is in no Hub');
update app.posts set is_shareable = false where id = tests.id('cars');
select tests.vote('jonas', 'cars', 'left');
select is_empty('select from app.pending_ballots', 'none of a post that nobody may share');
select tests.slider('locked', 'jonas', 'private_locked_hub');
select tests.placed('locked', 'elm');
select tests.vote('jonas', 'locked', 'neutral');
select results_eq('select tests.ballots()', array['locked (0,0,1,0,0) for fir, oak'], 'of a private one that may be as well');

select * from finish();
