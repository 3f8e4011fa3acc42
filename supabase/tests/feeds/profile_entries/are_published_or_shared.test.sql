select plan(12);

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

create function pg_temp.entries(p_limit integer, p_place app.feed_place default tests.behind())
returns text[]
language sql
return tests.entries(app.profile_entries(tests.id('maya'), p_place, p_limit));

select tests.act_as_guest();
select is(pg_temp.entries(9), array['among us published -7', 'of lena shared_to_feed -8', 'old published -9'], 'what they published openly, and shared, the newest first');
select is(pg_temp.entries(2), array['among us published -7', 'of lena shared_to_feed -8'], 'so many');
select is(pg_temp.entries(9, tests.behind(tests.ago(8), 'of lena')), array['old published -9'], 'behind a place');
select is(pg_temp.entries(9, tests.behind(tests.ago(7), 'among us')), array['of lena shared_to_feed -8', 'old published -9'], 'of either sort');
select is(tests.entries(app.profile_entries(tests.id('maya'), tests.behind(), 1)), array['among us published -7'], 'or one');
reset role;
select tests.feed_share('jonas', 'old', tests.ago(1));
select tests.feed_share('maya', 'old', tests.ago(2));
select tests.act_as_guest();
select is(pg_temp.entries(9), array['old shared_to_feed -2', 'among us published -7', 'of lena shared_to_feed -8'], 'each once');
select is(pg_temp.entries(1), array['old shared_to_feed -2'], 'the newest of what they shared as well');
select is(pg_temp.entries(9, tests.behind(tests.ago(2), 'old')), array['among us published -7', 'of lena shared_to_feed -8'], 'on later pages too');
reset role;
select tests.feed_share('maya', 'locked', tests.ago(4));
select tests.act_as_guest();
select is((pg_temp.entries(9))[2], 'among us published -7', 'what is private is shown to nobody outside');
select tests.act_as('jonas');
select is((pg_temp.entries(9))[2], 'locked shared_to_feed -4', 'but in the Hub, if it was shared');
reset role;
delete from app.feed_shares where post_id = tests.id('locked');
select tests.act_as('maya');
select is((pg_temp.entries(9))[2], 'among us published -7', 'if not, not even to who wrote it');
reset role;
update app.posts set created_at = app.now();
update app.feed_shares set shared_at = app.now();
select tests.act_as_guest();
select is(
  array(select id from unnest(app.profile_entries(tests.id('maya'), tests.behind(), 9))),
  array(select id from unnest(tests.ids('old', 'among us', 'of lena')) as id order by id desc), 'what is of one moment is in the order of ids'
);

select * from finish();
