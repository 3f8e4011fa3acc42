select plan(1);

select bag_eq(
  'select tests.references()',
  array[
    'app.article_assets(article_id) goes with app.articles',
    'app.article_assets(asset_id) keeps app.assets',
    'app.articles(author_id) goes with app.users',
    'app.assets(id) keeps app.stored_objects',
    'app.assets(owner_id) goes with app.users',
    'app.blocks(blocked_id) goes with app.users',
    'app.blocks(blocker_id) goes with app.users',
    'app.contact_snapshots(user_id) goes with app.users',
    'app.contacts(user_id) goes with app.contact_snapshots',
    'app.default_feed_users(user_id) goes with app.users',
    'app.departures(merged_into_id) forgets app.users',
    'app.departures(user_id) goes with app.users',
    'app.device_tokens(session_id) goes with app.sessions',
    'app.device_tokens(user_id) goes with app.users',
    'app.follow_counts(user_id) goes with app.users',
    'app.follows(followee_id) goes with app.users',
    'app.follows(follower_id) goes with app.users',
    'app.hub_profiles(photo_asset_id) keeps app.assets',
    'app.hub_profiles(user_id) goes with app.users',
    'app.posts(article_id, author_id) goes with app.articles',
    'app.posts(author_id) goes with app.users',
    'app.profiles(photo_asset_id) keeps app.assets',
    'app.profiles(user_id) goes with app.users',
    'app.refresh_tokens(session_id) goes with app.sessions',
    'app.sessions(user_id) goes with app.users',
    'app.stored_objects(owner_id) keeps app.users',
    'app.uploads(asset_id) goes with app.assets',
    'app.uploads(owner_id) goes with app.users',
    'app.vote_pools(post_id) goes with app.posts',
    'app.vote_receipts(post_id) goes with app.posts',
    'app.vote_receipts(user_id) goes with app.users',
    'gateway.idempotent_answers(user_id) goes with app.users'
  ],
  'rows refer to rows that are there'
);

select * from finish();
