select plan(1);

select tests.person('maya', 2);
select tests.act_as('maya');
select api.complete_media('{}');
reset role;
select app.set_clock_offset('10 minutes');
select tests.act_as('maya');
select api.complete_media('{}');
select is(media_completed_at, now(), 'the step keeps its first time') from app.users;

select * from finish();
