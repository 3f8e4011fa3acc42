select plan(1);

select bag_eq(
  $$ select tests.table_privileges_of('authenticated') $$,
  array[
    'select app.article_assets',
    'select app.articles',
    'select app.assets',
    'select app.blocks',
    'select app.clock',
    'select app.contact_snapshots',
    'select app.contacts',
    'select app.default_feed_users',
    'select app.departures(user_id)',
    'select app.device_tokens(token_hash, user_id)',
    'select app.follow_counts',
    'select app.follow_sides',
    'select app.follows',
    'select app.hub_profiles',
    'select app.posts',
    'select app.profiles',
    'select app.uploads',
    'select app.users(id, phone, phone_verified_at, terms_version, terms_accepted_at, media_completed_at, contacts_synced_at, created_at, ended_at)',
    'select app.vote_pools',
    'select app.vote_receipts',
    'insert app.article_assets(article_id, place, asset_id)',
    'insert app.articles(author_id, url, title, body, media_count)',
    'insert app.contact_snapshots(user_id, permission)',
    'insert app.contacts(user_id, place, name, phone_numbers, thumbnail)',
    'insert app.follows(follower_id, followee_id)',
    'insert app.hub_profiles(user_id, display_name, photo_asset_id)',
    'insert app.posts(author_id, article_id, thought_text, slider_text, left_label, right_label, visibility)',
    'insert app.profiles(user_id, username, full_name, bio)',
    'insert app.uploads(owner_id, purpose, content_type, size_bytes, file_name)',
    'update app.contact_snapshots(stored_at)',
    'update app.follows(is_muted)',
    'update app.hub_profiles(display_name, photo_asset_id)',
    'update app.profiles(username, full_name, bio, photo_asset_id)',
    'update app.users(terms_version, terms_accepted_at, media_completed_at, contacts_synced_at)',
    'delete app.articles',
    'delete app.blocks',
    'delete app.device_tokens',
    'delete app.follows',
    'delete app.posts'
  ],
  'signed-in people read and write these, under their policies'
);

select * from finish();
