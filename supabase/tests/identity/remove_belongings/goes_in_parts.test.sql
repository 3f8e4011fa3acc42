select plan(14);

select tests.person(name, 4) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.hub('elm', 'jonas');
select tests.discussion('trams', 'jonas', 'elm');
select tests.post('bikes', 'jonas');
delete from app.events;

create function pg_temp.rounds(p_name text)
returns integer
language plpgsql
as $$
begin
  for v_round in 1..5 loop
    if not app.remove_belongings(tests.id(p_name)) then
      return v_round;
    end if;
  end loop;
end
$$;

select app.emit('user_followed', tests.id('maya'), tests.id('jonas')) from generate_series(1, 1001) as n;
select is(pg_temp.rounds('maya'), 2, 'a thousand events of theirs at a time');
select is_empty('select from app.events', 'until there are none');
select app.emit('user_followed', tests.id('jonas'), tests.id('maya')) from generate_series(1, 1001) as n;
select is(pg_temp.rounds('maya'), 2, 'a thousand that happened to them');
select is_empty('select from app.events', 'until there are none');
insert into app.messages (discussion_id, hub_id, author_id, body) select tests.id('trams in elm'), tests.id('elm'), tests.id('maya'), 'Hello' from generate_series(1, 1001) as n;
select is(pg_temp.rounds('maya'), 2, 'a thousand messages');
select is(count(*), 1001::bigint, 'until all are anonymous') from app.messages where author_id is null;
select tests.comment('comment ' || n, 'maya', 'bikes') from generate_series(1, 201) as n;
delete from app.events;
select is(pg_temp.rounds('maya'), 3, '201 comments take two parts, and what is no comment a third');
select is_empty('select from app.comments', 'until there are none');
select tests.post('post ' || n, 'jonas') from generate_series(1, 1001) as n;
select tests.feed_share('maya', 'post ' || n) from generate_series(1, 1001) as n;
delete from app.events;
delete from app.feed_events;
select is(pg_temp.rounds('maya'), 2, 'a thousand posts that they shared');
select is_empty('select from app.feed_shares', 'until there are none');
insert into app.placements (post_id, hub_id, kind, placed_by)
select tests.id('post ' || n), tests.id('elm'), 'shared', tests.id('maya') from generate_series(1, 1001) as n;
delete from app.events;
delete from app.feed_events;
select is(pg_temp.rounds('maya'), 2, 'a thousand places that they chose');
select is_empty($$ select from app.placements where placed_by = tests.id('maya') $$, 'until nobody has chosen any');
insert into app.feed_events (actor_id, post_id, kind, occurred_at)
select tests.id('maya'), tests.id('post ' || n), 'voted', app.now() from generate_series(1, 1001) as n;
select is(pg_temp.rounds('maya'), 2, 'a thousand acts');
select is_empty('select from app.feed_events where lost_at is null', 'until none counts');

select * from finish();
