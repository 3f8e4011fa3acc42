select plan(8);

select tests.person(name, 4) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.hub('elm', 'jonas');
select tests.discussion('trams', 'jonas', 'elm');

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
select tests.hub('hub ' || n, 'maya') from generate_series(1, 51) as n;
select is(pg_temp.rounds('maya'), 2, 'fifty Hubs');
select is(count(*), 51::bigint, 'until all are left') from app.hubs where closed_at is not null;

select * from finish();
