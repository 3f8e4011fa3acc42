select plan(3);

select tests.elm();
select tests.hub('ash', 'maya');
insert into app.hub_presence (hub_id, seen_in, member_count)
values
  (tests.id('elm'), app.now() + interval '1 minute', 1),
  (tests.id('elm'), app.now() - interval '24 hours 4 minutes 59 seconds', 10),
  (tests.id('elm'), app.now() - interval '24 hours 5 minutes', 100),
  (tests.id('ash'), app.now(), 1000);

select tests.act_as('jonas');
select is(app.active_users(tests.id('elm')), 11::bigint, 'whoever was seen in the last 24 hours, to five minutes');
select is(app.active_users(tests.id('ash')), 0::bigint, 'of another Hub nobody is told');
reset role;
delete from app.hub_presence where hub_id = tests.id('elm');
select tests.act_as('jonas');
select is(app.active_users(tests.id('elm')), 0::bigint, 'it may be nobody');

select * from finish();
