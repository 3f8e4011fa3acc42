select plan(5);

select tests.elm();
select tests.post('hers', 'lena', 'public_hub'), tests.post('his', 'jonas', 'public_hub'), tests.post('of the other', 'maya', 'public_hub');
create function pg_temp.told(p_event app.events)
returns setof app.notifications
language sql
as $$
  delete from app.notifications;
  insert into app.events select (p_event).*;
  select app.tell(p_event, tests.ids('jonas'));
  select * from app.notifications
$$;

select results_eq(
  $$ select recipient_id, audience::text, scope_id, actor_id, author_id, created_at, read_at from pg_temp.told(tests.event('post_shared_to_hub', 'maya', null, 'elm', 'hers')) $$,
  $$ values (tests.id('jonas'), 'hub_member', tests.id('elm'), tests.id('maya'), tests.id('lena'), app.now(), null::timestamptz) $$,
  'the Hub, who acted, and whose post it is'
);
select results_eq(
  $$ select audience::text, scope_id, actor_id, author_id from pg_temp.told(tests.event('post_commented', 'maya', null, null, 'his')) $$,
  $$ values ('everybody', tests.id('jonas'), tests.id('maya'), null::uuid) $$, 'or the recipient, whose own it is'
);
select results_eq(
  $$ select audience::text, scope_id, actor_id, author_id from pg_temp.told(tests.event('followed_user_posted', 'maya', null, null, 'of the other')) $$,
  $$ values ('everybody', tests.id('jonas'), tests.id('maya'), null::uuid) $$, 'or the actor''s'
);
select results_eq(
  $$ select audience::text, scope_id, actor_id, author_id from pg_temp.told(tests.event('hub_member_removed', 'maya', 'jonas', 'elm')) $$,
  $$ values ('hub_ready', tests.id('jonas'), tests.id('maya'), null::uuid) $$, 'or nobody''s'
);
select results_eq(
  $$
    select audience::text, scope_id, actor_id, author_id
    from pg_temp.told(jsonb_populate_record(tests.event('post_vote_milestone', null, 'jonas', null, 'hers'), '{"milestone_total": 100, "milestone_count": 100}'))
  $$,
  $$ values ('everybody', tests.id('jonas'), null::uuid, tests.id('lena')) $$, 'where nobody acted, whose post it is all the same'
);

select * from finish();
