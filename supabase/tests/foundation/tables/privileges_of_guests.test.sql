select plan(1);

select bag_eq(
  $$ select tests.table_privileges_of('anon') $$,
  array[
    'select app.article_assets',
    'select app.articles',
    'select app.assets',
    'select app.blockers',
    'select app.blocks(blocker_id, blocked_id)',
    'select app.clock',
    'select app.default_feed_users',
    'select app.departures(user_id)',
    'select app.estranged',
    'select app.follow_counts',
    'select app.hubs',
    'select app.messages',
    'select app.placements',
    'select app.posts',
    'select app.profiles',
    'select app.vote_pools',
    'select app.vote_receipts'
  ],
  'guests read these tables, under their policies, and write none'
);

select * from finish();
