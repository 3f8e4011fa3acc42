select plan(12);

select tests.elm();
select tests.person('ann', 3), tests.person('stranger', 3);
insert into app.default_feed_users (user_id) values (tests.id('ann'));
insert into app.posts (id, author_id, thought_text, visibility, created_at)
select tests.id(author || ' ' || n), tests.id(author), author || ' ' || n, 'public', tests.ago(case author when 'lena' then 2 * n - 1 else 2 * n end)
from unnest(array['ann', 'jonas', 'lena']) as author, generate_series(1, 3) as n;
insert into app.trending_scores (post_id, score, active_at) select p.id, p.created_at, app.now() from app.posts as p;
select tests.placed('lena ' || n, 'elm', app.now(), 'shared', 'jonas') from generate_series(1, 3) as n;

create function pg_temp.active(p_limit integer, p_hub text default null, p_is_own boolean default true, p_place app.feed_place default tests.behind(p_seen => tests.after_this(), p_part => 'active'))
returns text[]
language sql
return tests.thoughts(array(select entry.id from unnest(app.active_entries(tests.id(p_hub), p_is_own, p_place, p_limit)) as entry));

create function pg_temp.all_feeds()
returns text
language plpgsql
as $$
declare
  v_found text;
begin
  perform tests.act_as('maya');
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

select tests.act_as('maya');
select is(
  pg_temp.active(9, p_place => tests.behind(tests.ago(2), 'jonas 1', tests.after_this(), 'active')),
  array['lena 3', 'jonas 3'], 'behind a place'
);
reset role;
-- Changes since the walk began, more than are looked through.
insert into app.score_changes (post_id, former_score, former_active_at, changed_by)
select tests.id('jonas 3'), tests.ago(0), app.now(), xid8 '12' union all
select p.id, null, null, xid8 '12' from app.posts as p, generate_series(1, 30) where p.thought_text = 'noise';
select tests.act_as('maya');
select is(pg_temp.active(9, p_place => tests.behind(p_seen => '10:10:', p_part => 'active')), array['jonas 3', 'lena 1', 'jonas 1', 'lena 3'], 'posts that changed since are where they were when the walk began');
select is(pg_temp.active(9, p_place => tests.behind(tests.ago(2), 'jonas 1', '10:10:', 'active')), array['lena 3'], 'a post that was before the place then is not behind it');
reset role;
insert into app.score_changes (post_id, former_score, former_active_at, changed_by) values (tests.id('lena 1'), tests.ago(3), app.now(), xid8 '13');
select tests.act_as('maya');
select is(pg_temp.active(9, p_place => tests.behind(tests.ago(2), 'jonas 1', '10:10:', 'active')), array['lena 1', 'lena 3'], 'one that rose above the place since is');
reset role;
delete from app.score_changes where changed_by = '13';
reset role;
insert into app.score_changes (post_id, changed_by) select p.id, xid8 '12' from app.posts as p, generate_series(1, 30) where p.thought_text = 'noise';
select tests.act_as('maya');
select is(pg_temp.active(9, p_place => tests.behind(p_seen => '10:10:', p_part => 'active')), array['jonas 3', 'lena 1', 'jonas 1', 'lena 3'], 'also after more changes than are looked through');
select is(pg_temp.active(9, 'oak'), '{}', 'of a Hub of others there is nothing');
reset role;
select set_eq(
  $$ select tests.who_may('select app.active_entries(null, false, tests.behind(), 1)') $$, array['anon', 'authenticated'], 'guests and members have trending feeds'
);

select * from finish();
