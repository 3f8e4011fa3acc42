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
select is(pg_temp.hears('user:' || tests.id('maya')), 1::bigint, 'on their own channel, what is broadcast');
select is(pg_temp.hears('user:' || tests.id('jonas')), 0::bigint, 'and on no other');
select throws_ok(
  $$ insert into realtime.messages (topic, extension, event) values ('user:' || tests.id('maya'), 'broadcast', 'notification') $$, '42501', null, 'nobody but the service sends'
);
select tests.act_as_guest();
select is(pg_temp.hears('user:' || tests.id('maya')), 0::bigint, 'guests hear nothing');
select tests.act_as('maya');
reset role;
delete from app.sessions;
set local role authenticated;
select is(pg_temp.hears('user:' || tests.id('maya')), 0::bigint, 'nor does who has logged out');
reset role;
select set_eq(
  $$ select polname::text collate "default", polcmd::text collate "default", polroles from pg_policy where polrelid = 'realtime.messages'::regclass $$,
  $$ values ('opine_people_hear_what_is_theirs', 'r', array['authenticated'::regrole::oid]) $$, 'it is all that we open'
);

select * from finish();
