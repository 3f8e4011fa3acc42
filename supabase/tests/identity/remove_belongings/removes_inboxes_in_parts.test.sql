select plan(9);

select tests.person(name, 2) from unnest(array['maya', 'jonas', 'lena']) as name;
insert into app.users (id) select tests.id('fan ' || n) from generate_series(1, 5002) as n;
insert into app.events (id, type, actor_id, subject_id) select tests.id('event ' || n), 'user_followed', tests.id('jonas'), tests.id('maya') from generate_series(1, 1001) as n;
insert into app.notifications (event_id, recipient_id, audience, scope_id) select tests.id('event ' || n), tests.id('lena'), 'everybody', tests.id('lena') from generate_series(1, 1001) as n;

select ok(app.remove_belongings(tests.id('lena')), 'there is more');
select is(count(*), 1::bigint, 'than a thousand that they were told at a time') from app.notifications where recipient_id = tests.id('lena');
select ok(not app.remove_belongings(tests.id('lena')), 'and then none');
select is_empty('select from app.notifications', 'that is left');
insert into app.events (id, type, actor_id) values (tests.id('told to many'), 'followed_user_posted', tests.id('maya'));
insert into app.notifications (event_id, recipient_id, audience, scope_id)
select tests.id('told to many'), tests.id('fan ' || n), 'everybody', tests.id('fan ' || n) from generate_series(1, 5002) as n;
delete from app.events where subject_id = tests.id('maya');
select ok(app.remove_belongings(tests.id('maya')), 'so with what they did');
select is(count(*), 2::bigint, 'five thousand others who were told of it at a time') from app.notifications;
select isnt_empty($$ select from app.events where actor_id = tests.id('maya') $$, 'until all have forgotten it has happened');
select ok(not app.remove_belongings(tests.id('maya')), 'and then not');
select is_empty($$ select from app.events where actor_id = tests.id('maya') $$, 'which leaves nothing');

select * from finish();
