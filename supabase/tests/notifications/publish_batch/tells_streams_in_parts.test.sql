select plan(1);

select tests.person('maya');
insert into app.events (id, type) select tests.id('event ' || n), 'user_followed' from generate_series(1, 250) as n;
insert into app.notifications (event_id, recipient_id, audience, scope_id)
select tests.id('event ' || n), tests.id('maya'), 'everybody', tests.id('maya') from generate_series(1, 250) as n;

select lives_ok(
  'select app.publish_batch(array(select due from app.due_notifications as due))', 'more than Postgres takes at once goes in parts'
);

select * from finish();
