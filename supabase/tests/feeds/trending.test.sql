begin;
select plan(23);
savepoint empty;

-- active_candidates reads the highest scores first, and the whole feed where its posts are rare among them.
select tests.elm();
select tests.person('ann', 3), tests.person('olga', 3);
insert into app.default_feed_users (user_id) values (tests.id('ann'));
insert into app.posts (id, author_id, thought_text, visibility, created_at)
select
  tests.id(author || ' ' || n), tests.id(author), author || ' ' || n, 'public',
  tests.minutes_ago(case author when 'lena' then 2 * n - 1 else 2 * n end)
from unnest(array['ann', 'jonas', 'lena']) as author, generate_series(1, 3) as n;
insert into app.trending_scores (post_id, score, active_at) select p.id, p.created_at, app.now() from app.posts as p;
select tests.placement('lena ' || n, 'elm', app.now(), 'shared', 'jonas') from generate_series(1, 3) as n;
select tests.hub('oak', 'lena');
select tests.placement('lena 1', 'oak');

create function pg_temp.active(
  p_limit integer, p_hub text default null, p_after app.feed_cursor default tests.cursor_after(p_part => 'active')
)
returns text[]
language sql
return tests.thoughts(array(
  select entry.id from unnest(app.active_candidates(tests.id(p_hub), p_after, p_limit)) as entry
));

-- Maya's home feed, the feed of the Hub elm and the default feed.
create function pg_temp.three_feeds()
returns text
language sql
return tests.value_for(
  'maya',
  'concat_ws('' | '', pg_temp.active(9)::text, pg_temp.active(2, ''elm'')::text,
    pg_temp.active(2, null, tests.cursor_after(p_part => ''active'', p_is_own => false))::text)'
) ->> 0;
create temporary table whole as
select '{"lena 1","jonas 1","lena 2","jonas 2","lena 3","jonas 3"} | {"lena 1","lena 2"} | {"ann 1","ann 2"}' as feeds;
select is(pg_temp.three_feeds(), feeds, 'home, Hub and default feeds list their active posts by score') from whole;

-- 1001 higher scores of posts in no feed hide the feeds' posts from the first look.
insert into app.posts (id, author_id, thought_text, visibility)
select tests.id('noise ' || n), tests.id('olga'), 'noise', 'public' from generate_series(1, 1001) as n;
insert into app.trending_scores (post_id, score, active_at)
select p.id, app.now() + interval '1 hour', app.now() from app.posts as p where p.thought_text = 'noise';
select is(
  pg_temp.three_feeds(), feeds, 'a feed without any of the thousand highest scores is ranked as a whole'
) from whole;
update app.trending_scores as s
set active_at = app.now() - interval '7 days'
from app.posts as p
where p.id = s.post_id and p.thought_text like '% 2';
create temporary table without_second as
select '{"lena 1","jonas 1","lena 3","jonas 3"} | {"lena 1","lena 3"} | {"ann 1","ann 3"}' as feeds;
select is(
  pg_temp.three_feeds(), feeds, 'a feed ranked as a whole omits posts inactive for seven days'
) from without_second;
delete from app.posts
where thought_text = 'noise' and id in (select p.id from app.posts as p where p.thought_text = 'noise' limit 950);
select is(pg_temp.three_feeds(), feeds, 'a feed read from the highest scores omits posts inactive for seven days')
from without_second;
update app.trending_scores as s
set score = app.now() - age, active_at = app.now() - age
from app.posts as p, (
  values ('lena 3', interval '6 days 22 hours'), ('jonas 3', '6 days 23 hours'), ('ann 3', '6 days 23 hours')
) as aged (name, age)
where p.id = s.post_id and p.thought_text = aged.name;
select is(pg_temp.three_feeds(), feeds, 'a feed lists posts whose last activity was almost seven days ago')
from without_second;

select tests.act_for('maya');
select is(
  pg_temp.active(9, p_after => tests.cursor_after(tests.minutes_ago(2), 'jonas 1', p_part => 'active')),
  array['lena 3', 'jonas 3'], 'active_candidates continues after a cursor'
);
reset role;

-- Few score changes since the first page are read with the highest scores.
update app.feed_events set begun_by = '9';
delete from app.feed_changes;
-- Placed in the Hub since the first page; shared by Maya alone, into a Hub of hers and into another.
select tests.post(name, 'olga') from unnest(array['late', 'shared', 'elsewhere']) as name;
select tests.placement('late', 'elm', app.now(), 'shared', 'jonas');
insert into app.feed_events (hub_id, actor_id, post_id, kind, occurred_at, begun_by)
values
  (tests.id('elm'), tests.id('maya'), tests.id('shared'), 'shared_to_hub', tests.minutes_ago(1), '9'),
  (tests.id('oak'), tests.id('maya'), tests.id('elsewhere'), 'shared_to_hub', tests.minutes_ago(1), '9');
insert into app.trending_scores (post_id, score, active_at)
select tests.id(name), tests.minutes_ago(case name when 'elsewhere' then 0 else 1 end), tests.minutes_ago(1)
from unnest(array['late', 'shared', 'elsewhere']) as name;
select tests.act_for('maya');
select is(
  pg_temp.active(1, p_after => tests.cursor_after(app.now(), p_seen => '10:10:', p_part => 'active')), '{shared}',
  'a trending feed has a post of the caller''s own share into a Hub of theirs, and of no other'
);
select is(
  pg_temp.active(9, 'elm', tests.cursor_after(app.now(), p_seen => '10:10:', p_part => 'active')),
  array['lena 1', 'lena 3'],
  'the trending feed of a Hub has no post that was placed since the first page'
);
reset role;
delete from app.posts where thought_text in ('late', 'shared', 'elsewhere');
insert into app.score_changes (post_id, former_score, former_active_at, changed_by)
select tests.id('jonas 3'), tests.minutes_ago(0), app.now(), xid8 '12'
union all
select p.id, null, null, xid8 '12' from app.posts as p, generate_series(1, 30) where p.thought_text = 'noise';
select tests.act_for('maya');
select is(
  pg_temp.active(9, p_after => tests.cursor_after(p_seen => '10:10:', p_part => 'active')),
  array['jonas 3', 'lena 1', 'jonas 1', 'lena 3'],
  'a post whose score changed since the first page keeps its position'
);
select is(
  pg_temp.active(9, p_after => tests.cursor_after(tests.minutes_ago(2), 'jonas 1', '10:10:', 'active')),
  array['lena 3'],
  'a post once above the cursor does not come again below the cursor'
);
reset role;
insert into app.score_changes (post_id, former_score, former_active_at, changed_by)
values (tests.id('lena 1'), tests.minutes_ago(3), app.now(), xid8 '13');
select tests.act_for('maya');
select is(
  pg_temp.active(9, p_after => tests.cursor_after(tests.minutes_ago(2), 'jonas 1', '10:10:', 'active')),
  array['lena 1', 'lena 3'],
  'a post that rose above the cursor since the first page is not skipped'
);
reset role;
-- Jonas 1 lost all its activity since the first page.
insert into app.score_changes (post_id, former_score, former_active_at, changed_by)
select s.post_id, s.score, s.active_at, xid8 '13' from app.trending_scores as s where s.post_id = tests.id('jonas 1');
delete from app.trending_scores where post_id = tests.id('jonas 1');
select tests.act_for('maya');
select is(
  pg_temp.active(9, p_after => tests.cursor_after(p_seen => '10:10:', p_part => 'active')),
  array['jonas 3', 'jonas 1', 'lena 1', 'lena 3'],
  'a post that lost its activity since the first page keeps its position'
);
reset role;
delete from app.score_changes where changed_by = '13' and post_id = tests.id('lena 1');
-- With more changes than are read, the feed is ranked as a whole.
insert into app.score_changes (post_id, changed_by)
select p.id, xid8 '12' from app.posts as p, generate_series(1, 30) where p.thought_text = 'noise';
select tests.act_for('maya');
select is(
  pg_temp.active(9, p_after => tests.cursor_after(p_seen => '10:10:', p_part => 'active')),
  array['jonas 3', 'lena 1', 'jonas 1', 'lena 3'],
  'posts keep their positions after more score changes than one look reads'
);

rollback to empty;

-- scores_at_page_one returns the scores of the time of the first page (docs/product.md F15).
select tests.person('maya');
select tests.post(name, 'maya') from unnest(array['trams', 'bikes', 'cars', 'feet']) as name;
insert into app.trending_scores (post_id, score, active_at)
select tests.id(name), app.now(), tests.minutes_ago(1) from unnest(array['trams', 'bikes', 'cars']) as name;

create function pg_temp.scores(p_seen pg_snapshot, p_began_at timestamptz default app.now())
returns table (post text, hours integer)
language sql
as $$
  select p.thought_text, round(extract(epoch from t.score - app.now()) / 3600)::integer
  from app.scores_at_page_one(
    tests.ids('trams', 'bikes', 'feet'),
    ('infinity', tests.id('trams'), p_began_at, p_seen, 'active', true, '')::app.feed_cursor
  ) as t
  join app.posts as p on p.id = t.post_id
$$;
-- The snapshot of a first page that was read so many transactions ago.
create function pg_temp.seen(p_ago integer)
returns pg_snapshot
language sql
return format('%1$s:%1$s:', pg_current_xact_id()::text::bigint - p_ago)::pg_snapshot;

insert into app.score_changes (post_id, former_score, former_active_at, changed_by)
select
  tests.id(post), app.now() - hours * interval '1 hour', app.now() - hours * interval '1 hour',
  (pg_current_xact_id()::text::bigint - ago)::text::xid8
from (
  values ('trams', 5, 4), ('trams', 3, 2), ('trams', 1, 1), ('bikes', 2, 3), ('cars', 9, 1)
) as change (post, hours, ago);
select set_eq(
  format('select * from pg_temp.scores(pg_temp.seen(%s))', ago),
  format('values (''trams'', %s), (''bikes'', %s)', trams, bikes),
  title
)
from (
  values
    (0, 0, 0, 'a first page after all changes has the current scores'),
    (1, -1, 0, 'a first page before the last change has the scores before that change'),
    (3, -3, -2, 'a first page before several changes has the scores before the first of them')
) as c (ago, trams, bikes, title);
select set_eq(
  $$
    select seen.*
    from (select pg_current_xact_id()::text::bigint) as now (xid),
      pg_temp.scores(format('%s:%s:%s', xid - 4, xid + 1, xid - 4)::pg_snapshot) as seen
  $$,
  $$ values ('trams', -5), ('bikes', 0) $$,
  'a first page ignores a change in a transaction that was open, however old'
);
select set_eq(
  $$ select * from pg_temp.scores(pg_temp.seen(3), app.now() + interval '7 days' - interval '3 hours') $$,
  $$ values ('bikes', -2) $$,
  'a post inactive for seven days before the first page has no score'
);
update app.score_changes set former_score = null, former_active_at = null where post_id = tests.id('bikes');
select set_eq(
  'select * from pg_temp.scores(pg_temp.seen(3))', $$ values ('trams', -3) $$,
  'a post whose first activity came after the first page has no score'
);

rollback to empty;

-- trending_entries lists active posts by score, then quiet posts newest first (docs/product.md F14).
select tests.person(name, 3) from unnest(array['maya', 'lena', 'enemy']) as name;
select tests.follow('maya', 'lena'), tests.follow('maya', 'enemy');
select tests.post('hidden', 'enemy'), tests.post('own', 'maya'), tests.post('quiet', 'lena'),
  tests.post('late', 'lena');
-- Of two posts with one score, the one with the higher id comes first.
insert into app.posts (id, author_id, thought_text, visibility, created_at)
select format('%s0000000-0000-4000-8000-000000000000', digit)::uuid, tests.id('lena'), 'equal ' || digit, 'public',
  tests.minutes_ago(20)
from unnest(array[1, 2]) as digit;
update app.posts set created_at = tests.minutes_ago(10) where thought_text in ('quiet', 'own');
update app.feed_events set occurred_at = tests.minutes_ago(10) where post_id = any (tests.ids('quiet', 'own'));
insert into app.trending_scores (post_id, score, active_at)
select p.id, tests.minutes_ago(case p.thought_text when 'hidden' then 1 when 'own' then 2 else 3 end),
  tests.minutes_ago(6)
from app.posts as p
where p.thought_text not in ('quiet', 'late');
select tests.block('enemy', 'maya');
select tests.record_activity('voted', 'lena', 'hidden', tests.minutes_ago(6));

create function pg_temp.trending(
  p_limit integer, p_began_at timestamptz, p_age integer default null, p_post text default null
)
returns text
language plpgsql
as $$
declare
  v_place app.feed_cursor :=
    tests.cursor_after(coalesce(tests.minutes_ago(p_age), 'infinity'), p_post, p_part => 'active');
begin
  v_place.began_at := p_began_at;
  return tests.value_for('maya', format(
    'array_to_string(tests.thoughts(array(select id from unnest(app.trending_entries(null, %L, %s)))), '', '')',
    v_place, p_limit
  )) ->> 0;
end
$$;

select is(pg_temp.trending(page_size, began_at, age, post), expected, title)
from (
  values
    (
      9, tests.minutes_ago(5), null::integer, null, 'own, equal 2, equal 1, quiet',
      'a trending feed lists active posts by score, then older quiet posts'
    ),
    (
      1, tests.minutes_ago(5), null, null, 'own',
      'a trending page is full though a hidden user''s post has the highest score'
    ),
    (
      9, tests.minutes_ago(5), 2, 'own', 'equal 2, equal 1, quiet',
      'a trending cursor returns no post from above its position'
    ),
    (
      9, app.now(), null, null, 'own, equal 2, equal 1, late, quiet',
      'a trending feed lists quiet posts published before a later first page'
    )
) as c (page_size, began_at, age, post, expected, title);

select * from finish();
rollback;
