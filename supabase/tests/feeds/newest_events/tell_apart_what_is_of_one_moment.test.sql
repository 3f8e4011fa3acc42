select plan(3);

select tests.person(name) from unnest(array['maya', 'one', 'two', 'three', 'author']) as name;
select tests.follow('maya', name) from unnest(array['one', 'two', 'three']) as name;
create temporary table posts as
select tests.post(n::text, 'author') as id, n = 1 as is_first from generate_series(1, 2) as n;
update posts set is_first = id = (select max(other.id::text)::uuid from posts as other);

create function pg_temp.newest(p_first text)
returns uuid
language plpgsql
as $$
declare
  v_id uuid;
begin
  delete from app.feed_events;
  perform app.note_act('voted', tests.id(name), (select p.id from posts as p where p.is_first = (name = p_first)), app.now())
  from unnest(array['one', 'two', 'three']) as name;
  perform tests.act_as('maya');
  v_id := (select event.id from app.newest_events(tests.behind(), 1, '{}') as event);
  perform set_config('role', 'none', true);
  return v_id;
end
$$;

select is(pg_temp.newest(name), (select p.id from posts as p where p.is_first), 'the first is found, whoever did it') from unnest(array['one', 'two', 'three']) as name;

select * from finish();
