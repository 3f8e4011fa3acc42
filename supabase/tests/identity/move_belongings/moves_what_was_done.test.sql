select plan(11);

select tests.person(name) from unnest(array['lena', 'jonas', 'ann']) as name;
select tests.person('maya', 4);
select tests.hub('elm', 'maya');
select tests.post(name, 'jonas') from unnest(array['trams', 'bikes', 'cars', 'boats', 'trains']) as name;
select app.set_clock_offset('1 hour');
select tests.comment('of lena', 'lena', 'trams');
select tests.comment('taken back', 'lena', 'cars');
select app.erase_comment(tests.id('taken back'));
select tests.comment('of ann', 'ann', 'trams');
select tests.feed_share('ann', 'boats');
select tests.feed_share('maya', name) from unnest(array['boats', 'trains']) as name;
select tests.comment('of ann too', 'ann', 'trains');
insert into app.saved_posts (user_id, post_id) values (tests.id('ann'), tests.id('boats'));
insert into app.saved_posts (user_id, post_id) select tests.id('lena'), tests.id(name) from unnest(array['trams', 'bikes']) as name;
select tests.feed_share('lena', name) from unnest(array['trams', 'bikes']) as name;
insert into app.reports (reporter_id, post_id, reason) select tests.id('lena'), tests.id(name), 'spam' from unnest(array['trams', 'bikes']) as name;
select app.set_clock_offset('2 hours');
insert into app.saved_posts (user_id, post_id) select tests.id('maya'), tests.id(name) from unnest(array['bikes', 'cars']) as name;
select tests.feed_share('maya', name) from unnest(array['bikes', 'cars']) as name;
select tests.feed_share('lena', 'boats');
select app.set_clock_offset('3 hours');
select tests.feed_share('jonas', 'cars');
select app.set_clock_offset('2 hours');
insert into app.reports (reporter_id, post_id, reason) values (tests.id('maya'), tests.id('bikes'), 'hate');
insert into app.reports (reporter_id, post_id, reason, state) values (tests.id('maya'), tests.id('trams'), 'hate', 'closed');
insert into app.reports (reporter_id, user_id, reason)
values (tests.id('ann'), tests.id('lena'), 'spam'), (tests.id('jonas'), tests.id('lena'), 'spam'), (tests.id('jonas'), tests.id('maya'), 'hate');
insert into app.reports (reporter_id, user_id, reason, state) values (tests.id('ann'), tests.id('maya'), 'hate', 'closed');
select app.move_belongings(tests.id('lena'), tests.id('maya'));

select set_eq('select id, author_id from app.comments', $$ values (tests.id('of lena'), tests.id('maya')), (tests.id('of ann'), tests.id('ann')), (tests.id('of ann too'), tests.id('ann')) $$, 'comments');
select set_eq(
  $$ select user_id, post_id, saved_at - now() from app.saved_posts where user_id <> tests.id('ann') $$,
  $$
    values
      (tests.id('maya'), tests.id('trams'), interval '1 hour'), (tests.id('maya'), tests.id('bikes'), interval '2 hours'),
      (tests.id('maya'), tests.id('cars'), interval '2 hours')
  $$,
  'what was saved, at its time; where both saved it, when the phone''s user did'
);
select set_eq(
  'select user_id, post_id, shared_at - now() from app.feed_shares',
  $$
    values
      (tests.id('maya'), tests.id('trams'), interval '1 hour'), (tests.id('maya'), tests.id('bikes'), interval '2 hours'),
      (tests.id('maya'), tests.id('cars'), interval '2 hours'), (tests.id('maya'), tests.id('boats'), interval '2 hours'),
      (tests.id('maya'), tests.id('trains'), interval '1 hour'), (tests.id('ann'), tests.id('boats'), interval '1 hour'),
      (tests.id('jonas'), tests.id('cars'), interval '3 hours')
  $$,
  'and what was shared, the later time where both did'
);
select set_eq(
  $$ select post_id, reason::text, state::text from app.reports where reporter_id = tests.id('maya') $$,
  $$ values (tests.id('trams'), 'spam', 'open'), (tests.id('trams'), 'hate', 'closed'), (tests.id('bikes'), 'hate', 'open') $$,
  'reports, one a post that is open'
);
select is_empty($$ select from app.reports where reporter_id = tests.id('lena') $$, 'and none of the other account''s');
select set_eq(
  $$ select reporter_id, user_id, reason::text from app.reports where user_id is not null $$,
  $$
    values
      (tests.id('ann'), tests.id('maya'), 'spam'), (tests.id('jonas'), tests.id('lena'), 'spam'), (tests.id('jonas'), tests.id('maya'), 'hate'),
      (tests.id('ann'), tests.id('maya'), 'hate')
  $$,
  'what others reported is about the one person, where they did not say so of both'
);
select set_eq(
  $$ select post_id, kind::text, hub_id, occurred_at - now() from app.feed_events where actor_id = tests.id('maya') and kind in ('commented', 'shared_to_feed') $$,
  $$
    select tests.id(post), kind, hub, at
    from (
      values ('trams', 'commented', interval '1 hour'), ('trams', 'shared_to_feed', '1 hour'), ('bikes', 'shared_to_feed', '2 hours'), ('cars', 'shared_to_feed', '2 hours'), ('boats', 'shared_to_feed', '2 hours'),
        ('trains', 'shared_to_feed', '1 hour')
    ) as act (post, kind, at)
    cross join unnest(array[null, tests.id('elm')]) as hub
  $$,
  'all of it is in their stream, and in those of their Hubs'
);
select bag_eq(
  $$ select kind::text, post_id from app.feed_events where actor_id = tests.id('ann') $$, $$ values ('commented', tests.id('trams')), ('shared_to_feed', tests.id('boats')), ('commented', tests.id('trains')) $$, 'what others did is theirs'
);
select results_eq('select user_id from app.saved_posts where post_id = tests.id(''boats'')', tests.ids('ann'), 'and so is what they keep');
select is_empty($$ select from app.feed_events where actor_id = tests.id('lena') $$, 'and in no other');
select is_empty($$ select tests.who_may('select app.move_activity(null, null)') $$, 'no role moves anything');

select * from finish();
