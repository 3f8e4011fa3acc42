select plan(2);

select tests.elm();
select tests.slider('trams', 'lena');
select tests.vote('maya', 'trams', 'left');
select tests.vote('jonas', 'trams', 'right');
select tests.act_as('maya');
select results_eq(
  'select app.own_votes()',
  $$ values (jsonb_build_object('postId', tests.id('trams'), 'votedAt', app.iso(date_trunc('minute', app.now())))) $$, 'that one voted, and in which minute'
);
reset role;
select set_eq(
  $$ select jsonb_object_keys(item) from app.own_votes() as item $$, array['postId', 'votedAt'], 'and nothing else'
);

select * from finish();
