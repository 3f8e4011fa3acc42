select plan(7);

select tests.elm();
select tests.post('trams', 'lena');
select tests.placed('trams', 'elm', tests.ago(9), 'shared', 'jonas');
insert into app.feed_events (hub_id, actor_id, post_id, kind, occurred_at)
values (tests.id('elm'), tests.id('amara'), tests.id('trams'), 'shared_to_hub', tests.ago(3));
insert into app.feed_events (hub_id, actor_id, post_id, kind, occurred_at, lost_at, lost_by)
values (tests.id('elm'), tests.id('maya'), tests.id('trams'), 'shared_to_hub', tests.ago(5), app.now(), pg_current_xact_id());
select tests.hub('oak', 'maya');
insert into app.feed_events (hub_id, actor_id, post_id, kind, occurred_at)
values (tests.id('oak'), tests.id('maya'), tests.id('trams'), 'shared_to_hub', tests.ago(2));
create function pg_temp.then(p_ago integer)
returns timestamptz
language sql
return app.shared_then(tests.id('elm'), tests.id('trams'), ('infinity', tests.id('trams'), tests.ago(p_ago), '10:10:', 'recent', '')::app.feed_place);
select tests.act_as('maya');
select is(pg_temp.then(3), tests.ago(3), 'the last share before a walk began');
select is(pg_temp.then(4), tests.ago(5), 'not one after it, but one that was taken back since');
select is(pg_temp.then(6), tests.ago(9), 'what was taken back is not the only one');
select is(pg_temp.then(1), tests.ago(3), 'a share into another Hub of theirs is none into this one');
select is(pg_temp.then(10), null, 'before the first there is none');
select tests.act_as('lena');
select is(pg_temp.then(3), null, 'who is not a member learns nothing');
reset role;
select set_eq($$ select tests.who_may('select app.shared_then(null, null, tests.behind())') $$, array['authenticated'], 'guests are in no Hub');

select * from finish();
