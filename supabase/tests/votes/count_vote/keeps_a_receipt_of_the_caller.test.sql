select plan(2);

select tests.elm();
select tests.hub('oak', 'jonas');
select tests.hub('fir', 'jonas');
select tests.slider('trams', 'maya');
select tests.placed('trams', 'elm');
select tests.placed('trams', 'oak');
select tests.slider('bikes', 'maya');
select tests.vote('jonas', 'trams', 'left');
select tests.vote('lena', 'bikes', 'left');
select bag_eq(
  'select post_id, user_id, voted_at, baseline, array(select id from unnest(hub_ids) as id order by id) from app.vote_receipts',
  $$
    values
      (tests.id('trams'), tests.id('jonas'), date_trunc('minute', app.now()), null::integer, array(select id from unnest(tests.ids('elm', 'oak')) as id order by id)),
      (tests.id('bikes'), tests.id('lena'), date_trunc('minute', app.now()), null, '{}')
  $$,
  'that they voted, to the minute, and in which Hubs that counted; not what'
);
select app.end_membership(tests.id('elm'), tests.id('jonas'));
select tests.fold();
select is(cardinality(hub_ids), 2, 'for good') from app.vote_receipts where user_id = tests.id('jonas');

select * from finish();
