select plan(2);

select tests.elm();
select tests.slider('locked', 'amara', 'private_locked_hub');
select tests.placed('locked', 'elm');
select tests.slider('trams', 'amara');
select tests.placed('trams', 'elm');
update app.users set contacts_synced_at = null where id = tests.id('jonas');
select throws_ok($$ select tests.vote('jonas', 'locked', 'left') $$, 'PT403', 'VOTE_NOT_ALLOWED', 'on private posts only the Hub-ready vote');
select tests.vote('jonas', 'trams', 'left');
select results_eq('select tests.pools()', array['trams (0,1,0,0,0)'], 'and only theirs count in Hubs');

select * from finish();
