select plan(5);

select tests.elm();
select tests.hub('ash', 'jonas');
select tests.hub('oak', 'jonas');
update app.hubs set last_activity_at = app.now() - interval '1 day';
select tests.post('trams', 'jonas', 'public_hub');
select tests.act_as('jonas');
select app.place_post(tests.id('trams'), tests.ids('elm', 'ash'));
reset role;

select set_eq('select post_id, hub_id, placed_at from app.placements', $$ select tests.id('trams'), hub, app.now() from unnest(tests.ids('elm', 'ash')) as hub $$, 'a place');
select set_eq('select post_id, hub_id from app.discussions', 'select post_id, hub_id from app.placements', 'a discussion');
select set_eq(
  'select type::text, actor_id, subject_id, hub_id, post_id from app.events',
  $$ select 'hub_post_created', tests.id('jonas') as actor, null::uuid as subject, hub, tests.id('trams') as post from unnest(tests.ids('elm', 'ash')) as hub $$, 'a notice'
);
select set_eq('select id from app.hubs where last_activity_at = app.now()', tests.ids('elm', 'ash'), 'and life in each');
select is(
  array(select e.hub_id from app.events as e order by e.id), array(select hub from unnest(tests.ids('elm', 'ash')) as hub order by hub), 'one after the other in one order'
);

select * from finish();
