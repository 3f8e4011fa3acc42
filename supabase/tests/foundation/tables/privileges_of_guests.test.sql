select plan(1);

select bag_eq(
  $$ select tests.table_privileges_of('anon') $$,
  array[
    'select app.article_assets',
    'select app.articles',
    'select app.assets',
    'select app.blockers',
    'select app.blocked_pairs',
    'select app.blocked_users',
    'select app.blocks',
    'select app.clock',
    'select app.comments',
    'select app.default_feed_users',
    'select app.departures(user_id, departed_at)',
    'select app.feed_shares',
    'select app.follow_counts',
    'select app.hidden_users',
    'select app.hubs',
    'select app.messages',
    'select app.placements(post_id, hub_id, kind, placed_at, last_shared_at)',
    'select app.posts',
    'select app.profiles',
    'select app.saved_posts',
    'select app.suspensions',
    'select app.users_hidden_from_all',
    'select app.vote_receipts(post_id, user_id, voted_at)'
  ],
  'guests read these tables, under their policies, and write none'
);

select * from finish();
