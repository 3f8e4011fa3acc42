begin;
select plan(42);
savepoint empty;

-- hub_entries: are placements at their time
select tests.elm();
select tests.hub('ash', 'maya');
select tests.post(name, 'lena') from unnest(array['trams', 'bikes', 'cars', 'elsewhere']) as name;
select tests.placed('trams', 'elm', tests.ago(3));
select tests.placed('bikes', 'elm', tests.ago(5), 'shared', 'jonas');
select tests.placed('cars', 'elm', tests.ago(7));
select tests.placed('elsewhere', 'ash', tests.ago(1));

create function pg_temp.entries(p_limit integer, p_after app.feed_position default tests.behind())
returns text[]
language sql
return tests.entries(app.hub_entries(tests.id('elm'), p_after, p_limit));

select tests.authenticate_as('maya');
select is(pg_temp.entries(9), array['trams shared_to_hub -3', 'bikes shared_to_hub -5', 'cars shared_to_hub -7'], 'each as what it was placed, in that Hub');
select is(pg_temp.entries(2), array['trams shared_to_hub -3', 'bikes shared_to_hub -5'], 'so many');
select is(pg_temp.entries(9, tests.behind(tests.ago(5), 'bikes')), array['cars shared_to_hub -7'], 'behind a place');
select tests.authenticate_as('lena');
select is(pg_temp.entries(9), '{}', 'an outsider finds none, not even of their own');
reset role;
select tests.authenticate_as('amara');
select api.share_to_hubs(tests.arguments('cars') || jsonb_build_object('hubIds', jsonb_build_array(tests.id('elm'))));
select is(pg_temp.entries(9), array['cars shared_to_hub', 'trams shared_to_hub -3', 'bikes shared_to_hub -5'], 'a post that is shared again comes first');
select is(
  pg_temp.entries(9, (tests.ago(3), tests.id('trams'), tests.ago(1), '1:1:', 'recent', '')::app.feed_position), array['bikes shared_to_hub -5', 'cars shared_to_hub -7'],
  'a walk that began before finds it where it was'
);
select is(
  pg_temp.entries(9, (tests.ago(9), tests.id('trams'), tests.ago(1), '1:1:', 'recent', '')::app.feed_position), '{}', 'and not again where it has passed that'
);
reset role;
select set_eq(
  $$ select tests.who_may('select app.hub_entries(null, tests.behind(), 1)') $$, array['authenticated'], 'and no guest asks'
);

rollback to empty;

-- hub_entries: hides what the viewer may not see
select tests.elm();
select tests.discussion('hers', 'maya', 'elm', app.now() - interval '1 day');
select tests.discussion('his', 'jonas', 'elm', app.now() - interval '2 days');
select tests.discussion('of amara', 'amara', 'elm', app.now() - interval '3 days');
select tests.block('maya', 'jonas');

select tests.authenticate_as('jonas');
select is(tests.listed(api.get_hub_feed(tests.in_hub('elm'))), tests.ids('his', 'of amara'), 'posts across a block are not in a Hub feed');
select is(tests.listed_in_parts('get_hub_feed', tests.in_hub('elm')), tests.ids('his', 'of amara'), 'and is full without it');
select is(
  tests.listed(api.list_discussions(tests.in_hub('elm'))), tests.ids('hers in elm', 'his in elm', 'of amara in elm'), 'discussions are not touched by that'
);

rollback to empty;

-- hub_entries: is last placed first
select tests.elm();
select tests.hub('ash', 'jonas');
select tests.discussion('trams', 'jonas', 'elm', app.now() - interval '2 days');
select tests.discussion('bikes', 'maya', 'elm', app.now() - interval '1 day');
select tests.post('cars', 'amara', 'public_hub');
select tests.placed('cars', 'elm', app.now() - interval '3 days');
select tests.discussion('elsewhere', 'jonas', 'ash');
update app.posts set created_at = app.now() + interval '1 day' where id = tests.id('cars');

select tests.authenticate_as('jonas');
create temporary table answers as select api.get_hub_feed(tests.in_hub('elm')) as page;
select is(tests.listed(page), tests.ids('bikes', 'trams', 'cars'), 'whoever placed it') from answers;
select is(page ->> 'nextCursor', null, 'all on a page') from answers;
select is(
  page #> '{items,1}', (select card || '{"feedContext": "joined_hub_post"}' from app.post_cards(tests.ids('trams'))), 'each by its card, with why it is there'
)
from answers;
select is(tests.listed_in_parts('get_hub_feed', tests.in_hub('elm')), tests.listed(page), 'or one after the other') from answers;
select is(api.get_home_feed(tests.in_hub('elm')), page, 'the home feed has the same for that Hub') from answers;
select is(tests.listed_in_parts('get_home_feed', tests.in_hub('elm')), tests.listed(page), 'in parts too') from answers;

rollback to empty;

-- hub_entries: pages through one moment
select tests.elm();
select tests.without_indexes();
select tests.authenticate_as('maya');
select is(api.get_hub_feed(tests.in_hub('elm')), '{"items": [], "nextCursor": null}', 'at first there is nothing');
reset role;
select tests.discussion(n::text, 'jonas', 'elm') from generate_series(1, 6) as n;
select tests.authenticate_as('maya');
select is(
  tests.listed(api.get_hub_feed(tests.in_hub('elm'))), array(select p.id from app.posts as p order by p.id desc), 'then all in the order of their ids'
);
select is(
  tests.listed_in_parts('get_hub_feed', tests.in_hub('elm')), array(select p.id from app.posts as p order by p.id desc), 'on pages as on one'
);

rollback to empty;

-- hub_reasons: are how it came there
select tests.elm();
select tests.post(name, 'lena') from unnest(array['trams', 'bikes', 'cars']) as name;
select tests.placed('trams', 'elm', p_kind => 'shared', p_by => 'jonas'), tests.placed('bikes', 'elm'), tests.placed('cars', 'elm', p_kind => 'shared', p_by => 'jonas');

select tests.authenticate_as('maya');
select is(
  app.hub_reasons(tests.id('elm'), array[tests.entry('trams'), tests.entry('bikes', p_kind => null), tests.entry('cars')]),
  array['shared_to_hub', 'joined_hub_post', 'shared_to_hub'], 'a target is joined_hub_post and an onward share shared_to_hub, in the order of the entries'
);
select is(app.hub_reasons(tests.id('elm'), '{}'), '{}', 'no entries have no reasons');
reset role;
select set_eq($$ select tests.who_may('select app.hub_reasons(null, ''{}'')') $$, array['authenticated'], 'only members ask');

rollback to empty;

-- profile_entries: are published or shared
select tests.elm();
insert into app.posts (id, author_id, thought_text, visibility, created_at)
values
  (tests.id('old'), tests.id('maya'), 'old', 'public', tests.ago(9)),
  (tests.id('among us'), tests.id('maya'), 'among us', 'public_hub', tests.ago(7)),
  (tests.id('locked'), tests.id('maya'), 'locked', 'private_locked_hub', tests.ago(6)),
  (tests.id('of lena'), tests.id('lena'), 'of lena', 'public', tests.ago(3)),
  (tests.id('of jonas'), tests.id('jonas'), 'of jonas', 'public', tests.ago(3));
select tests.placed('locked', 'elm');
select tests.feed_share('maya', 'of lena', tests.ago(8));
select tests.feed_share('jonas', name, tests.ago(1)) from unnest(array['of jonas', 'among us']) as name;

create function pg_temp.entries(p_limit integer, p_after app.feed_position default tests.behind())
returns text[]
language sql
return tests.entries(app.profile_entries(tests.id('maya'), p_after, p_limit));

select tests.authenticate_as_guest();
select is(pg_temp.entries(9), array['among us published -7', 'of lena shared_to_feed -8', 'old published -9'], 'what they published openly, and shared, the newest first');
select is(pg_temp.entries(2), array['among us published -7', 'of lena shared_to_feed -8'], 'so many');
select is(pg_temp.entries(9, tests.behind(tests.ago(8), 'of lena')), array['old published -9'], 'behind a place');
select is(pg_temp.entries(9, tests.behind(tests.ago(7), 'among us')), array['of lena shared_to_feed -8', 'old published -9'], 'of either sort');
select is(tests.entries(app.profile_entries(tests.id('maya'), tests.behind(), 1)), array['among us published -7'], 'or one');
reset role;
select tests.feed_share('jonas', 'old', tests.ago(1));
select tests.feed_share('maya', 'old', tests.ago(2));
select tests.authenticate_as_guest();
select is(pg_temp.entries(9), array['old shared_to_feed -2', 'among us published -7', 'of lena shared_to_feed -8'], 'each once');
select is(pg_temp.entries(1), array['old shared_to_feed -2'], 'the newest of what they shared as well');
select is(pg_temp.entries(9, tests.behind(tests.ago(2), 'old')), array['among us published -7', 'of lena shared_to_feed -8'], 'on later pages too');
reset role;
select tests.feed_share('maya', 'locked', tests.ago(4));
select tests.authenticate_as_guest();
select is((pg_temp.entries(9))[2], 'among us published -7', 'what is private is shown to nobody outside');
select tests.authenticate_as('jonas');
select is((pg_temp.entries(9))[2], 'locked shared_to_feed -4', 'but in the Hub, if it was shared');
reset role;
delete from app.feed_shares where post_id = tests.id('locked');
select tests.authenticate_as('maya');
select is((pg_temp.entries(9))[2], 'among us published -7', 'if not, not even to who wrote it');
reset role;
update app.posts set created_at = app.now();
update app.feed_shares set shared_at = app.now();
select tests.authenticate_as_guest();
select is(
  array(select id from unnest(app.profile_entries(tests.id('maya'), tests.behind(), 9))),
  array(select id from unnest(tests.ids('old', 'among us', 'of lena')) as id order by id desc), 'what is of one moment is in the order of ids'
);

rollback to empty;

-- shared_then: is for members and of then
select tests.elm();
select tests.post('trams', 'lena');
select tests.placed('trams', 'elm', tests.ago(9), 'shared', 'jonas');
insert into app.feed_events (hub_id, actor_id, post_id, kind, occurred_at)
values (tests.id('elm'), tests.id('amara'), tests.id('trams'), 'shared_to_hub', tests.ago(3));
insert into app.feed_events (hub_id, actor_id, post_id, kind, occurred_at, lost_at, lost_by)
values (tests.id('elm'), tests.id('maya'), tests.id('trams'), 'shared_to_hub', tests.ago(5), app.now(), pg_current_xact_id());
select tests.hub('oak', 'maya');
insert into app.feed_events (hub_id, actor_id, post_id, kind, occurred_at)
values (tests.id('oak'), tests.id('maya'), tests.id('trams'), 'shared_to_hub', tests.ago(2));
create function pg_temp.then(p_ago integer)
returns timestamptz
language sql
return app.shared_then(tests.id('elm'), tests.id('trams'), ('infinity', tests.id('trams'), tests.ago(p_ago), '10:10:', 'recent', '')::app.feed_position);
select tests.authenticate_as('maya');
select is(pg_temp.then(3), tests.ago(3), 'the last share before a walk began');
select is(pg_temp.then(4), tests.ago(5), 'not one after it, but one that was taken back since');
select is(pg_temp.then(6), tests.ago(9), 'what was taken back is not the only one');
select is(pg_temp.then(1), tests.ago(3), 'a share into another Hub of theirs is none into this one');
select is(pg_temp.then(10), null, 'before the first there is none');
select tests.authenticate_as('lena');
select is(pg_temp.then(3), null, 'who is not a member learns nothing');
reset role;
select set_eq($$ select tests.who_may('select app.shared_then(null, null, tests.behind())') $$, array['authenticated'], 'guests are in no Hub');

select * from finish();
rollback;
