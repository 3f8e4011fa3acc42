select plan(8);

select tests.elm();
insert into app.posts (id, author_id, thought_text, visibility, created_at)
select tests.id(name), tests.id('jonas'), name, 'public', app.now() - age::interval
from (values ('trams', '6 days'), ('bikes', '10 minutes'), ('cars', '80 days'), ('feet', '8 days'), ('boats', '9 days')) as made (name, age);
-- Boats drew more than any other, but not in the last seven days.
insert into app.trending_scores (post_id, score, active_at)
select tests.id(name), app.now() - score::interval, app.now() - active::interval
from (values ('trams', '1 hour', '2 hours'), ('cars', '2 hours', '6 days 23:59:59'), ('boats', '30 minutes', '7 days')) as drew (name, score, active);

create function pg_temp.feed(p_args jsonb)
returns text[]
language sql
return tests.thoughts(tests.listed(app.feed(p_args)));
create function pg_temp.walk(p_args jsonb)
returns text[]
language plpgsql
as $$
declare
  v_page jsonb := app.feed(p_args);
  v_walked text[] := tests.thoughts(tests.listed(v_page));
begin
  while v_page ->> 'nextCursor' is not null loop
    v_page := app.feed(p_args || jsonb_build_object('cursor', v_page ->> 'nextCursor'));
    v_walked := v_walked || tests.thoughts(tests.listed(v_page));
  end loop;
  return v_walked;
end
$$;

select tests.act_as('maya');
select is(pg_temp.feed('{"sort": "trending"}'), array['trams', 'cars', 'bikes', 'feet', 'boats'], 'what had activity in the last seven days by score, however old, then the rest, newest first');
select is(
  array(select distinct pg_temp.walk(jsonb_build_object('sort', 'trending', 'limit', n)) from generate_series(1, 6) as n),
  array[array['trams', 'cars', 'bikes', 'feet', 'boats']], 'from page to page, of any size'
);
select is(pg_temp.feed('{"sort": "recent"}'), array['bikes', 'trams', 'feet', 'boats', 'cars'], 'recent is the newest first');
select is(pg_temp.feed('{}'), pg_temp.feed('{"sort": "recent"}'), 'recent is the default');
reset role;
insert into app.default_feed_users (user_id) values (tests.id('jonas'));
select tests.act_as_guest();
select is(pg_temp.walk('{"sort": "trending", "limit": 2}'), array['trams', 'cars', 'bikes', 'feet', 'boats'], 'the default feed trends likewise');
reset role;
select tests.placed(name, 'elm', app.now() - age::interval)
from (values ('cars', '2 days'), ('feet', '1 hour'), ('boats', '9 hours')) as placed (name, age);
select tests.act_as('maya');
select is(pg_temp.walk(tests.in_hub('elm', '{"sort": "trending", "limit": 2}')), array['cars', 'feet', 'boats'], 'and so does the feed of a Hub');
select is(
  app.feed(tests.in_hub('elm', '{"sort": "trending"}')) #>> '{items,0,feedContext}', 'joined_hub_post', 'for the reasons of the Hub'
);
select is(
  (
    select array_agg(distinct item ->> 'feedContext')
    from jsonb_array_elements(app.feed('{"sort": "trending"}') -> 'items') as item
  ),
  array['hub_co_member_author'], 'the reasons are those of the recent feed'
);

select * from finish();
