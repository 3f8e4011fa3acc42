select plan(7);

select tests.elm();
select tests.hub('ash', 'jonas');
select tests.hub('oak', 'jonas');
select tests.post('trams', 'jonas', 'public_hub');
select tests.placed('trams', 'elm', app.now() - interval '1 day', p_by => 'maya');
select tests.act_as('jonas');
create temporary table answers as select app.place_post(tests.id('trams'), tests.ids('elm', 'ash'), 'shared') as hubs;
select is(hubs, tests.ids('ash'), 'those that are new to it') from answers;
select is(app.place_post(tests.id('trams'), tests.ids('elm', 'ash'), 'shared'), null, 'which may be none');
reset role;
select set_eq(
  'select hub_id, kind::text, placed_by, placed_at from app.placements',
  $$
    values
      (tests.id('elm'), 'targeted', tests.id('maya'), app.now() - interval '1 day'), (tests.id('ash'), 'shared', tests.id('jonas'), app.now())
  $$,
  'where it was it stays as it was'
);
select set_eq('select hub_id from app.discussions', tests.ids('elm', 'ash'), 'with its discussion');
select is(count(*), 2::bigint, 'nobody is told again') from app.events where hub_id is not null;
select is(count(*), 2::bigint, 'nor does it come up in feeds') from app.feed_events where kind in ('targeted', 'shared_to_hub');

select bag_eq(
  'select hub_id, user_id from app.memberships where seen_at is not null',
  $$ values (tests.id('elm'), tests.id('jonas')), (tests.id('ash'), tests.id('jonas')) $$, 'and who places it has used the Hubs by that'
);

select * from finish();
