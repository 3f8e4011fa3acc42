select plan(6);

select tests.person('lena');
insert into app.events select (tests.event('followed_user_posted', 'lena')).*;
insert into app.fan_outs (event_id) select id from app.events;
select is_empty(format('select tests.who_may(%L)', verb), 'no role may: ' || verb)
from unnest(array['select from app.fan_outs', 'insert into app.fan_outs default values', 'update app.fan_outs set turn_count = 1', 'delete from app.fan_outs']) as verb;
select is(tests.violation_of('insert into app.fan_outs (event_id) select event_id from app.fan_outs'), 'fan_outs_pkey', 'an event is told of by one job');
delete from app.events;
select is_empty('select from app.fan_outs', 'which goes with it');

select * from finish();
