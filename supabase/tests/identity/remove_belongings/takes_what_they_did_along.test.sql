select plan(10);

select tests.elm();
select tests.post('trams', 'jonas');
select tests.post('bikes', 'lena');
select tests.post('hers', 'amara');
select tests.asset('picture', 'amara');
select tests.comment('root', 'amara', 'trams');
select tests.comment('answer', 'jonas', 'trams', 'root');
select tests.comment('picture alone', 'amara', 'trams');
update app.comments set body = null, asset_id = tests.id('picture') where id = tests.id('picture alone');
select tests.comment('his', 'jonas', 'trams');
select tests.comment('reply', 'amara', 'trams', 'his');
select tests.feed_share('amara', 'trams');
select tests.feed_share('jonas', 'trams');
select tests.repost('repost', 'amara', 'trams');
select tests.placed('bikes', 'elm', app.now(), 'shared', 'amara');
select app.leave_hubs(tests.id('amara'));
select app.remove_belongings(tests.id('amara')) from generate_series(1, 3);

select set_eq(
  'select id, author_id, body, asset_id, reply_count from app.comments',
  $$
    values
      (tests.id('root'), null, null, null::uuid, 1), (tests.id('answer'), tests.id('jonas'), 'answer', null, 0),
      (tests.id('his'), tests.id('jonas'), 'his', null, 0)
  $$,
  'of comments the roots of others'' replies stay, without a word'
);
select results_eq(
  $$ select comment_count, repost_count from app.posts where id = tests.id('trams') $$, 'values (2, 0)', 'posts count what is left'
);
select set_eq('select tests.to_be_removed()', tests.ids('picture'), 'pictures go to the worker');
select results_eq('select user_id from app.feed_shares', tests.ids('jonas'), 'shares go');
select set_eq('select id from app.posts', tests.ids('trams', 'bikes'), 'as do reposts, and posts');
select set_eq(
  $$ select tests.acts('trams') $$,
  array[
    'published by jonas', 'published by jonas in elm', 'commented by jonas', 'commented by jonas in elm', 'shared_to_feed by jonas',
    'shared_to_feed by jonas in elm'
  ],
  'nothing that they did is in feeds'
);
select set_eq(
  $$ select tests.acts('bikes') $$, array['published by lena', 'shared_to_hub by nobody in elm'], 'but what they shared into Hubs is, by nobody'
);
select results_eq(
  'select post_id, hub_id, placed_by from app.placements', $$ values (tests.id('bikes'), tests.id('elm'), null::uuid) $$, 'and stays there, likewise'
);
select is_empty($$ select from app.events where actor_id = tests.id('amara') $$, 'nobody is told of any of it');
select ok(not app.remove_belongings(tests.id('amara')), 'and nothing is left to do');

select * from finish();
