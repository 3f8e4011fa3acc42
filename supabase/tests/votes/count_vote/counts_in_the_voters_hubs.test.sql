select plan(4);

select tests.elm();
select tests.hub('oak', 'jonas');
select tests.hub('fir', 'jonas');
select tests.hub('ash', 'amara');
select tests.slider('trams', 'lena');
select tests.placed('trams', hub) from unnest(array['elm', 'oak', 'ash']) as hub;
select tests.slider('locked', 'amara', 'private_locked_hub');
select tests.placed('locked', hub) from unnest(array['elm', 'ash']) as hub;
select tests.vote('jonas', 'trams', 'right');
select bag_eq(
  'select tests.pools()', array['trams (0,0,0,1,0)', 'trams in elm (0,0,0,1,0)', 'trams in oak (0,0,0,1,0)'],
  'for everybody, and in each Hub where the post and the voter are'
);
select tests.vote('lena', 'trams', 'left');
select tests.vote('maya', 'trams', 'right');
select bag_eq(
  'select tests.pools()', array['trams (0,1,0,2,0)', 'trams in elm (0,0,0,2,0)', 'trams in oak (0,0,0,1,0)'], 'each scope by itself'
);
select tests.membership('elm', 'lena');
select tests.placed('trams', 'fir', p_kind => 'shared', p_by => 'jonas');
delete from app.pending_ballots;
select tests.fold();
select bag_eq(
  'select tests.pools()', array['trams (0,1,0,2,0)', 'trams in elm (0,0,0,2,0)', 'trams in oak (0,0,0,1,0)'], 'later joins and shares change nothing'
);
select tests.vote('amara', 'locked', 'neutral');
select tests.vote('jonas', 'locked', 'left');
select bag_eq(
  $$ select pool from tests.pools() as pool where pool like 'locked%' $$, array['locked in elm (0,1,1,0,0)', 'locked in ash (0,0,1,0,0)'],
  'a private post counts in its Hubs alone'
);

select * from finish();
