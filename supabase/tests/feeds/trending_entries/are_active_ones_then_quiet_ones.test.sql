select plan(5);

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

create function pg_temp.trending(p_limit integer, p_place app.feed_place)
returns text[]
language plpgsql
as $$
declare
  v_found text[];
begin
  perform tests.act_as('maya');
  v_found := tests.thoughts(array(select entry.id from unnest(app.trending_entries(null, true, p_place, p_limit)) as entry));
  perform set_config('role', 'none', true);
  return v_found;
end
$$;
create function pg_temp.walk(p_at timestamptz default 'infinity', p_post text default null)
returns app.feed_place
language plpgsql
as $$
declare
  v_place app.feed_place := tests.behind(p_at, p_post, tests.after_this(), 'active');
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
