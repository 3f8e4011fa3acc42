-- Demo people, a Hub, posts and votes, for the embedded stack and `supabase start`. Every id is fixed, so
-- that examples can name them.

insert into app.users (
  id, phone, phone_verified_at, terms_version, terms_accepted_at, media_completed_at, contacts_synced_at
)
values
  ('01900000-0000-7000-8000-000000000001', '+12025550101', app.now(), '1', app.now(), app.now(), app.now()),
  ('01900000-0000-7000-8000-000000000002', '+12025550102', app.now(), '1', app.now(), app.now(), app.now()),
  ('01900000-0000-7000-8000-000000000003', '+12025550103', app.now(), '1', app.now(), app.now(), null);

insert into app.profiles (user_id, username, full_name, bio)
values
  ('01900000-0000-7000-8000-000000000001', 'maya', 'Maya Lindqvist', 'Cities, trams and the people in them.'),
  ('01900000-0000-7000-8000-000000000002', 'jonas', 'Jonas Okafor', 'I cook what the market has.'),
  ('01900000-0000-7000-8000-000000000003', 'amara', 'Amara Castellanos', null);

insert into app.default_feed_users (user_id)
values ('01900000-0000-7000-8000-000000000001'), ('01900000-0000-7000-8000-000000000003');

insert into app.articles (id, author_id, url, title, body)
values
  (
    '01900000-0000-7000-8000-0000000000a1', '01900000-0000-7000-8000-000000000001',
    'https://example.com/car-free-centre', 'The old town goes car-free',
    'From spring on, only trams, bicycles and deliveries before ten enter the old town.'
  ),
  (
    '01900000-0000-7000-8000-0000000000a2', '01900000-0000-7000-8000-000000000003',
    null, 'What a library is for', 'A room where nobody asks you to buy anything.'
  );

insert into app.posts (
  id, author_id, article_id, thought_text, slider_text, left_label, right_label, visibility, created_at
)
values
  (
    '01900000-0000-7000-8000-0000000000b1', '01900000-0000-7000-8000-000000000001',
    '01900000-0000-7000-8000-0000000000a1',
    'My street lost its parking in May. I would not give the benches back.',
    'Should the centre be car-free?', 'Keep the cars', 'Car-free', 'public', app.now() - interval '3 hours'
  ),
  (
    '01900000-0000-7000-8000-0000000000b2', '01900000-0000-7000-8000-000000000003',
    '01900000-0000-7000-8000-0000000000a2',
    null, null, null, null, 'public', app.now() - interval '2 hours'
  ),
  (
    '01900000-0000-7000-8000-0000000000b3', '01900000-0000-7000-8000-000000000003', null,
    null, 'Four working days are enough', 'Disagree', 'Agree', 'public', app.now() - interval '1 hour'
  ),
  (
    '01900000-0000-7000-8000-0000000000b4', '01900000-0000-7000-8000-000000000002', null,
    'Onions first, garlic later. This is not up for a vote.', null, null, null, 'public',
    app.now() - interval '30 minutes'
  );

insert into app.users (id, terms_version, terms_accepted_at)
select ('01900000-0000-7000-8000-0000000001' || lpad(n::text, 2, '0'))::uuid, '1', app.now()
from generate_series(1, 12) as n;

insert into app.profiles (user_id, username, full_name)
select ('01900000-0000-7000-8000-0000000001' || lpad(n::text, 2, '0'))::uuid, 'neighbour_' || n, 'Neighbour ' || n
from generate_series(1, 12) as n;

insert into app.vote_receipts (post_id, user_id, voted_at, baseline)
select '01900000-0000-7000-8000-0000000000b1', p.user_id, date_trunc('minute', app.now()), row_number() over ()
from app.profiles as p
where p.username like 'neighbour\_%';

update app.posts set vote_count = 12 where id = '01900000-0000-7000-8000-0000000000b1';
select app.count_trending_votes('01900000-0000-7000-8000-0000000000b1', 12);

insert into app.vote_pools (post_id, counts)
values ('01900000-0000-7000-8000-0000000000b1', (1, 2, 1, 3, 5));

insert into app.hubs (id, name, description, custom_link)
values (
  '01900000-0000-7000-8000-0000000000c1', 'Elm Street', 'Everybody between the bakery and the park.', 'elm-street'
);

insert into app.memberships (hub_id, user_id, role)
values
  ('01900000-0000-7000-8000-0000000000c1', '01900000-0000-7000-8000-000000000001', 'admin'),
  ('01900000-0000-7000-8000-0000000000c1', '01900000-0000-7000-8000-000000000002', 'member');

insert into app.posts (id, author_id, thought_text, visibility, created_at)
values (
  '01900000-0000-7000-8000-0000000000b5', '01900000-0000-7000-8000-000000000001',
  'The bakery closes in June. Does anybody know who takes over?', 'private_locked_hub',
  app.now() - interval '20 minutes'
);

insert into app.placements (post_id, hub_id, placed_by, placed_at, last_shared_at)
values (
  '01900000-0000-7000-8000-0000000000b5', '01900000-0000-7000-8000-0000000000c1',
  '01900000-0000-7000-8000-000000000001', app.now() - interval '20 minutes', app.now() - interval '20 minutes'
);

update app.discussions
set id = '01900000-0000-7000-8000-0000000000d1', message_count = 1, last_activity_at = app.now() - interval '10 minutes'
where post_id = '01900000-0000-7000-8000-0000000000b5';

insert into app.messages (id, discussion_id, hub_id, author_id, body, created_at)
values (
  '01900000-0000-7000-8000-0000000000d2', '01900000-0000-7000-8000-0000000000d1',
  '01900000-0000-7000-8000-0000000000c1',
  '01900000-0000-7000-8000-000000000002',
  'Somebody with a very large oven, I hope.', app.now() - interval '10 minutes'
);
