begin;
select plan(24);
savepoint empty;

-- active_entries: are found both ways
select tests.elm();
select tests.person('ann', 3), tests.person('stranger', 3);
insert into app.default_feed_users (user_id) values (tests.id('ann'));
insert into app.posts (id, author_id, thought_text, visibility, created_at)
select tests.id(author || ' ' || n), tests.id(author), author || ' ' || n, 'public', tests.ago(case author when 'lena' then 2 * n - 1 else 2 * n end)
from unnest(array['ann', 'jonas', 'lena']) as author, generate_series(1, 3) as n;
insert into app.trending_scores (post_id, score, active_at) select p.id, p.created_at, app.now() from app.posts as p;
select tests.placed('lena ' || n, 'elm', app.now(), 'shared', 'jonas') from generate_series(1, 3) as n;

create function pg_temp.active(p_limit integer, p_hub text default null, p_is_own boolean default true, p_after app.feed_position default tests.behind(p_seen => tests.after_this(), p_part => 'active'))
returns text[]
language sql
return tests.thoughts(array(select entry.id from unnest(app.active_entries(tests.id(p_hub), p_is_own, p_after, p_limit)) as entry));

create function pg_temp.all_feeds()
returns text
language plpgsql
as $$
declare
  v_found text;
begin
  perform tests.authenticate_as('maya');
  v_found := concat_ws(' | ', pg_temp.active(9)::text, pg_temp.active(2, 'elm')::text, pg_temp.active(2, p_is_own => false)::text);
  perform set_config('role', 'none', true);
  return v_found;
end
$$;
create temporary table few as select pg_temp.all_feeds() as found;
select is(found, '{"lena 1","jonas 1","lena 2","jonas 2","lena 3","jonas 3"} | {"lena 1","lena 2"} | {"ann 1","ann 2"}', 'what is in a feed, by score') from few;

-- So many posts above them that none of the feeds is found among those looked at.
insert into app.posts (id, author_id, thought_text, visibility) select tests.id('noise ' || n), tests.id('stranger'), 'noise', 'public' from generate_series(1, 1001) as n;
insert into app.trending_scores (post_id, score, active_at) select p.id, app.now() + interval '1 hour', app.now() from app.posts as p where p.thought_text = 'noise';
select is(pg_temp.all_feeds(), found, 'a feed without any of the thousand highest scores is ranked as a whole') from few;
update app.trending_scores as s set active_at = app.now() - interval '7 days' from app.posts as p where p.id = s.post_id and p.thought_text like '% 2';
select is(
  pg_temp.all_feeds(), '{"lena 1","jonas 1","lena 3","jonas 3"} | {"lena 1","lena 3"} | {"ann 1","ann 3"}', 'what had no activity for seven days is left out, however it is found'
);
delete from app.posts where thought_text = 'noise' and id in (select p.id from app.posts as p where p.thought_text = 'noise' limit 950);
select is(
  pg_temp.all_feeds(), '{"lena 1","jonas 1","lena 3","jonas 3"} | {"lena 1","lena 3"} | {"ann 1","ann 3"}', 'also below a few others'
);
update app.trending_scores as s
set score = app.now() - age, active_at = app.now() - age
from app.posts as p, (values ('lena 3', interval '6 days 22 hours'), ('jonas 3', '6 days 23 hours'), ('ann 3', '6 days 23 hours')) as aged (name, age)
where p.id = s.post_id and p.thought_text = aged.name;
select is(
  pg_temp.all_feeds(), '{"lena 1","jonas 1","lena 3","jonas 3"} | {"lena 1","lena 3"} | {"ann 1","ann 3"}', 'what had its last activity almost seven days ago is found'
);

select tests.authenticate_as('maya');
select is(
  pg_temp.active(9, p_after => tests.behind(tests.ago(2), 'jonas 1', tests.after_this(), 'active')),
  array['lena 3', 'jonas 3'], 'behind a place'
);
reset role;
-- Changes since the walk began, more than are looked through.
insert into app.score_changes (post_id, former_score, former_active_at, changed_by)
select tests.id('jonas 3'), tests.ago(0), app.now(), xid8 '12' union all
select p.id, null, null, xid8 '12' from app.posts as p, generate_series(1, 30) where p.thought_text = 'noise';
select tests.authenticate_as('maya');
select is(pg_temp.active(9, p_after => tests.behind(p_seen => '10:10:', p_part => 'active')), array['jonas 3', 'lena 1', 'jonas 1', 'lena 3'], 'posts that changed since are where they were when the walk began');
select is(pg_temp.active(9, p_after => tests.behind(tests.ago(2), 'jonas 1', '10:10:', 'active')), array['lena 3'], 'a post that was before the place then is not behind it');
reset role;
insert into app.score_changes (post_id, former_score, former_active_at, changed_by) values (tests.id('lena 1'), tests.ago(3), app.now(), xid8 '13');
select tests.authenticate_as('maya');
select is(pg_temp.active(9, p_after => tests.behind(tests.ago(2), 'jonas 1', '10:10:', 'active')), array['lena 1', 'lena 3'], 'one that rose above the place since is');
reset role;
delete from app.score_changes where changed_by = '13';
reset role;
insert into app.score_changes (post_id, changed_by) select p.id, xid8 '12' from app.posts as p, generate_series(1, 30) where p.thought_text = 'noise';
select tests.authenticate_as('maya');
select is(pg_temp.active(9, p_after => tests.behind(p_seen => '10:10:', p_part => 'active')), array['jonas 3', 'lena 1', 'jonas 1', 'lena 3'], 'also after more changes than are looked through');
select is(pg_temp.active(9, 'oak'), '{}', 'of a Hub of others there is nothing');
reset role;
select set_eq(
  $$ select tests.who_may('select app.active_entries(null, false, tests.behind(), 1)') $$, array['anon', 'authenticated'], 'guests and members have trending feeds'
);

rollback to empty;

-- scores_then: is as it was seen
select tests.person('maya');
select tests.post(name, 'maya') from unnest(array['trams', 'bikes', 'cars', 'feet']) as name;
insert into app.trending_scores (post_id, score, active_at)
select tests.id(name), app.now(), tests.ago(1) from unnest(array['trams', 'bikes', 'cars']) as name;

create function pg_temp.then(p_seen pg_snapshot, p_began_at timestamptz default app.now())
returns table (post text, hours integer)
language sql
as $$
  select p.thought_text, round(extract(epoch from t.score - app.now()) / 3600)::integer
  from app.scores_then(
    tests.ids('trams', 'bikes', 'feet'), ('infinity', tests.id('trams'), p_began_at, p_seen, 'active', '')::app.feed_position
  ) as t
  join app.posts as p on p.id = t.post_id
$$;
create function pg_temp.seen(p_ago integer)
returns pg_snapshot
language sql
return format('%1$s:%1$s:', pg_current_xact_id()::text::bigint - p_ago)::pg_snapshot;

insert into app.score_changes (post_id, former_score, former_active_at, changed_by)
select
  tests.id(post), app.now() - hours * interval '1 hour', app.now() - hours * interval '1 hour',
  (pg_current_xact_id()::text::bigint - ago)::text::xid8
from (values ('trams', 5, 4), ('trams', 3, 2), ('trams', 1, 1), ('bikes', 2, 3), ('cars', 9, 1)) as change (post, hours, ago);
select set_eq('select * from pg_temp.then(pg_temp.seen(0))', $$ values ('trams', 0), ('bikes', 0) $$, 'a walk that began after all changes has the scores of now, of the posts asked for');
select set_eq('select * from pg_temp.then(pg_temp.seen(1))', $$ values ('trams', -1), ('bikes', 0) $$, 'a walk that began before the last change has the scores before it');
select set_eq('select * from pg_temp.then(pg_temp.seen(3))', $$ values ('trams', -3), ('bikes', -2) $$, 'a walk that began before several changes has the scores before the first of them');
select set_eq(
  $$
    select seen.*
    from (select pg_current_xact_id()::text::bigint) as now (xid), pg_temp.then(format('%s:%s:%s', xid - 4, xid + 1, xid - 4)::pg_snapshot) as seen
  $$,
  $$ values ('trams', -5), ('bikes', 0) $$, 'a change under way when the walk began is not part of it, however early it began'
);
select set_eq(
  $$ select * from pg_temp.then(pg_temp.seen(3), app.now() + interval '7 days' - interval '3 hours') $$, $$ values ('bikes', -2) $$,
  'a post without activity in the seven days before the walk has no score in it'
);
update app.score_changes set former_score = null, former_active_at = null where post_id = tests.id('bikes');
select set_eq('select * from pg_temp.then(pg_temp.seen(3))', $$ values ('trams', -3) $$, 'a post whose first activity came later has no score in it');
select set_eq($$ select tests.who_may('select from app.scores_then(null, null)') $$, array['anon', 'authenticated'], 'guests and members have trending feeds');

rollback to empty;

-- trending_entries: are active ones then quiet ones
select tests.person(name, 3) from unnest(array['maya', 'lena', 'enemy']) as name;
select tests.follow('maya', 'lena'), tests.follow('maya', 'enemy');
select tests.post('hidden', 'enemy'), tests.post('own', 'maya'), tests.post('quiet', 'lena'), tests.post('late', 'lena');
-- Of two with one score the one with the higher id comes first.
insert into app.posts (id, author_id, thought_text, visibility, created_at)
select format('%s0000000-0000-4000-8000-000000000000', digit)::uuid, tests.id('lena'), 'equal ' || digit, 'public', tests.ago(20)
from unnest(array[1, 2]) as digit;
update app.posts set created_at = tests.ago(10) where thought_text = 'quiet';
update app.feed_events set occurred_at = tests.ago(10) where post_id = tests.id('quiet');
insert into app.trending_scores (post_id, score, active_at)
select p.id, tests.ago(case p.thought_text when 'hidden' then 1 when 'own' then 2 else 3 end), tests.ago(6)
from app.posts as p
where p.thought_text not in ('quiet', 'late');
select tests.block('enemy', 'maya');
select tests.did('voted', 'lena', 'hidden', tests.ago(6));

create function pg_temp.trending(p_limit integer, p_after app.feed_position)
returns text[]
language plpgsql
as $$
declare
  v_found text[];
begin
  perform tests.authenticate_as('maya');
  v_found := tests.thoughts(array(select entry.id from unnest(app.trending_entries(null, true, p_after, p_limit)) as entry));
  perform set_config('role', 'none', true);
  return v_found;
end
$$;
create function pg_temp.walk(p_at timestamptz default 'infinity', p_post text default null)
returns app.feed_position
language plpgsql
as $$
declare
  v_place app.feed_position := tests.behind(p_at, p_post, tests.after_this(), 'active');
begin
  v_place.began_at := tests.ago(5);
  return v_place;
end
$$;

select is(
  pg_temp.trending(9, pg_temp.walk()), array['own', 'equal 2', 'equal 1', 'quiet'],
  'active posts come by score, own ones among them, then quiet ones that were there when the walk began'
);
select is(pg_temp.trending(1, pg_temp.walk()), array['own'], 'a page is full though the highest score is of a post that its author hides');
select is(
  pg_temp.trending(9, pg_temp.walk(tests.ago(2), 'own')), array['equal 2', 'equal 1', 'quiet'], 'nothing comes again behind a place'
);
select is(
  pg_temp.trending(9, tests.behind(p_seen => tests.after_this(), p_part => 'active')), array['own', 'equal 2', 'equal 1', 'late', 'quiet'],
  'a walk that begins later finds what was published since'
);
select set_eq(
  $$ select tests.who_may('select app.trending_entries(null, false, tests.behind(), 1)') $$, array['anon', 'authenticated'],
  'guests and members have trending feeds'
);

select * from finish();
rollback;
