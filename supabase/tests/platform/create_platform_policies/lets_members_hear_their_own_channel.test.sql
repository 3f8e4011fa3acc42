select plan(6);

select tests.person('maya'), tests.person('jonas');
select tests.session('maya');
select tests.notification('hers', 'maya', p_actor => 'jonas'), tests.notification('his', 'jonas', p_actor => 'maya');
delete from realtime.messages;
select app.publish_hints('00000000-0000-0000-0000-000000000000', 10, 0);
insert into realtime.messages (topic, extension, event) values ('user:' || tests.id('maya'), 'presence', 'here');
create function pg_temp.hears(p_topic text)
returns bigint
language plpgsql
as $$
begin
  perform set_config('realtime.topic', p_topic, true);
  return (select count(*) from realtime.messages where topic = p_topic);
end
$$;

select tests.act_as('maya');
select is(pg_temp.hears('user:' || tests.id('maya')), 1::bigint, 'a member hears broadcasts on their own channel, and no presence');
select is(pg_temp.hears('user:' || tests.id('jonas')), 0::bigint, 'a member hears nothing on the channel of another person');
select throws_ok(
  $$ insert into realtime.messages (topic, extension, event) values ('user:' || tests.id('maya'), 'broadcast', 'notification') $$, '42501', null, 'a member sends nothing, not on their own channel either'
);
select tests.act_as_guest();
select is(pg_temp.hears('user:' || tests.id('maya')), 0::bigint, 'a guest hears nothing on the channel of a member');
select tests.act_as('maya');
reset role;
delete from app.sessions;
set local role authenticated;
select is(pg_temp.hears('user:' || tests.id('maya')), 0::bigint, 'a member whose session has ended hears nothing');
reset role;
select set_eq(
  $$ select polname::text collate "default", polcmd::text collate "default", polroles from pg_policy where polrelid = 'realtime.messages'::regclass $$,
  $$ values ('opine_people_hear_what_is_theirs', 'r', array['authenticated'::regrole::oid]) $$, 'the table has no other policy than ours'
);

select * from finish();
