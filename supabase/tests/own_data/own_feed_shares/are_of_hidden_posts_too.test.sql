select plan(2);

select tests.person(name) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.post('trams', 'lena');
select tests.feed_share('maya', 'trams');
select tests.feed_share('jonas', 'trams');
select tests.block('lena', 'maya');
select tests.act_as('maya');
select is_empty('select from app.feed_shares where user_id = tests.id(''maya'')', 'a post that is hidden is shown as shared by nobody');
select results_eq(
  $$ select item ->> 'postId' from app.own_feed_shares() as item $$, array[tests.id('trams')::text], 'who did it has it all the same, once'
);

select * from finish();
