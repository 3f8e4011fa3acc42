select plan(5);

select tests.person(name, 3) from unnest(array['maya', 'jonas', 'lena']) as name;
insert into app.default_feed_users (user_id) select tests.id(name) from unnest(array['maya', 'jonas']) as name;
insert into app.posts (id, author_id, thought_text, visibility, created_at)
values
  (tests.id('trams'), tests.id('maya'), 'trams', 'public', tests.ago(1)),
  (tests.id('bikes'), tests.id('jonas'), 'bikes', 'public_hub', tests.ago(2)),
  (tests.id('cars'), tests.id('maya'), 'cars', 'public', tests.ago(4)),
  (tests.id('locked'), tests.id('maya'), 'locked', 'private_locked_hub', tests.ago(3)),
  (tests.id('of lena'), tests.id('lena'), 'of lena', 'public', tests.ago(3));
select tests.did('voted', 'jonas', 'cars');

create function pg_temp.entries(p_limit integer, p_place app.feed_place default tests.behind())
returns text[]
language sql
return tests.entries(app.default_entries(p_place, p_limit));

select tests.act_as_guest();
select is(pg_temp.entries(9), array['trams published -1', 'bikes published -2', 'cars published -4'], 'what they published, the newest first');
select is(pg_temp.entries(2), array['trams published -1', 'bikes published -2'], 'so many');
select is(pg_temp.entries(9, tests.behind(tests.ago(2), 'bikes')), array['cars published -4'], 'behind a place');
select tests.act_as('maya');
select is(pg_temp.entries(9), array['trams published -1', 'bikes published -2', 'cars published -4'], 'private posts are not even shown to who wrote them');
reset role;
update app.posts set created_at = app.now();
select tests.act_as_guest();
select is(
  array(select id from unnest(app.default_entries(tests.behind(), 9))),
  array(select id from unnest(tests.ids('trams', 'bikes', 'cars')) as id order by id desc), 'what is of one moment is in the order of ids'
);

select * from finish();
