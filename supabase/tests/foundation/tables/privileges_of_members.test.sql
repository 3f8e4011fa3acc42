select plan(1);

select bag_eq(
  $$ select tests.table_privileges_of('authenticated') $$,
  array[
    'select app.articles',
    'select app.clock',
    'select app.contact_snapshots',
    'select app.contacts',
    'select app.default_feed_users',
    'select app.departures(user_id)',
    'select app.device_tokens(token_hash, user_id)',
    'select app.posts',
    'select app.profiles',
    'select app.users(id, phone, phone_verified_at, terms_version, terms_accepted_at, media_completed_at, contacts_synced_at, created_at, ended_at)',
    'select app.vote_pools',
    'select app.vote_receipts',
    'insert app.articles(author_id, url, title, body)',
    'insert app.contact_snapshots(user_id, permission)',
    'insert app.contacts(user_id, place, name, phone_numbers, thumbnail)',
    'insert app.posts(author_id, article_id, thought_text, slider_text, left_label, right_label, visibility)',
    'insert app.profiles(user_id, username, full_name, bio)',
    'update app.contact_snapshots(stored_at)',
    'update app.profiles(username, full_name, bio)',
    'update app.users(terms_version, terms_accepted_at, media_completed_at, contacts_synced_at)',
    'delete app.articles',
    'delete app.device_tokens',
    'delete app.posts'
  ],
  'signed-in people read and write these, under their policies'
);

select * from finish();
