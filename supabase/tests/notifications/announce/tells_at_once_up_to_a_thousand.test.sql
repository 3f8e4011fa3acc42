select plan(11);

select tests.person('lena'), tests.person('maya');
insert into app.users (id) select tests.id('fan ' || n) from generate_series(1, 1000) as n;
insert into app.follows (follower_id, followee_id) select tests.id('fan ' || n), tests.id('lena') from generate_series(1, 1000) as n;
create function pg_temp.publish(p_name text)
returns bigint
language plpgsql
as $$
begin
  perform tests.post(p_name, 'lena');
  return (select count(*) from app.notifications as n join app.events as e on e.id = n.event_id where e.post_id = tests.id(p_name));
end
$$;
-- What a transaction has told counts to its end.
select set_config('app.told_count', '', true);
select is(pg_temp.publish('first'), 1000::bigint, 'a thousand are told at once');
select is_empty('select from app.fan_outs', 'and nobody later');
select is(pg_temp.publish('second'), 0::bigint, 'whoever is more than that in the same transaction is not');
select app.emit('user_followed', tests.id('lena'), tests.id('maya'));
select is_empty($$ select tests.told('maya') $$, 'even where it is one');
select bag_eq(
  'select e.type::text, f.after_user_id, f.turn_count from app.fan_outs as f join app.events as e on e.id = f.event_id',
  $$ values ('followed_user_posted', '00000000-0000-0000-0000-000000000000'::uuid, 0), ('user_followed', '00000000-0000-0000-0000-000000000000', 0) $$,
  'the worker tells them'
);
select app.emit('user_followed', tests.id('lena'));
select is(count(*), 2::bigint, 'and of what is for nobody it need not') from app.fan_outs;
select set_config('app.told_count', '400', true);
delete from app.follows where follower_id in (select tests.id('fan ' || n) from generate_series(601, 1000) as n);
select is(pg_temp.publish('third'), 600::bigint, 'what was told before leaves room for so many');
select set_config('app.told_count', '401', true);
select is(pg_temp.publish('fourth'), 0::bigint, 'to the last');
select set_config('app.told_count', '', true);
select tests.follow('maya', 'lena');
insert into app.follows (follower_id, followee_id) select tests.id('fan ' || n), tests.id('lena') from generate_series(601, 1000) as n;
select is(pg_temp.publish('fifth'), 0::bigint, 'of a thousand and one nobody is told at once');
-- What a function sets for its transaction ends with one that has a value of its own, as it would with the transaction.
create function pg_temp.follow()
returns void
language sql
set app.told_count = '7'
as $$ select app.emit('user_followed', tests.id('lena'), tests.id('maya')) $$;
select set_config('app.told_count', '5', true);
select pg_temp.follow();
select is(current_setting('app.told_count'), '5', 'the next transaction begins at naught');
select is_empty($$ select tests.who_may('select app.announce(null)') $$, 'no role announces anything');

select * from finish();
