select plan(6);

select tests.person(name, 4) from unnest(array['maya', 'jonas', 'ann', 'ben']) as name;
select tests.person('lena', 2);
select tests.hub('elm', 'ben');
select tests.slider('trams', 'lena'), tests.post('of jonas', 'jonas');
delete from app.events;
select tests.notification('to lena', 'lena', p_actor => 'jonas', p_author => 'ann'), tests.notification('in elm', 'lena', 'hub_role_changed', 'ben', 'elm');
select tests.notification('read', 'lena', 'hub_member_removed', 'ben', 'elm');
update app.notifications set read_at = app.now() where id = tests.id('read');
select tests.notification('of maya, to lena', 'lena', 'post_commented', 'maya'), tests.notification('of lena, to maya', 'maya', 'post_commented', 'lena');
select tests.notification('of lena', 'jonas', p_actor => 'lena', p_author => 'ann'), tests.notification('to maya', 'maya', p_actor => 'jonas');
select tests.notification('of her post', 'jonas', 'post_shared_to_feed', 'ann', p_post => 'trams', p_author => 'lena');
select tests.notification('of another post', 'ann', 'post_shared_to_feed', 'ben', p_post => 'of jonas', p_author => 'jonas');
select tests.notification('both', 'lena', p_actor => 'ann'), tests.notification('of maya''s post', 'lena', p_actor => 'ann', p_author => 'maya');
insert into app.notifications (id, event_id, recipient_id, audience, scope_id, actor_id, read_at)
select tests.id('both, to maya'), n.event_id, tests.id('maya'), n.audience, tests.id('maya'), n.actor_id, app.now() from app.notifications as n where n.id = tests.id('both');
select app.move_belongings(tests.id('lena'), tests.id('maya'));

select bag_eq(
  $$ select id, audience::text, scope_id, actor_id, author_id, read_at is not null from app.notifications where recipient_id = tests.id('maya') $$,
  $$
    values
      (tests.id('to lena'), 'everybody', tests.id('maya'), tests.id('jonas'), tests.id('ann'), false),
      (tests.id('in elm'), 'hub_member', tests.id('elm'), tests.id('ben'), null, false),
      (tests.id('read'), 'hub_ready', tests.id('maya'), tests.id('ben'), null, true),
      (tests.id('to maya'), 'everybody', tests.id('maya'), tests.id('jonas'), null, false),
      (tests.id('both, to maya'), 'everybody', tests.id('maya'), tests.id('ann'), null, true),
      (tests.id('of maya''s post'), 'everybody', tests.id('maya'), tests.id('ann'), null, false)
  $$,
  'the inbox of both is one: each event once, by what maya has read, and nothing that they did themselves'
);
select is_empty($$ select from app.notifications where recipient_id = tests.id('lena') $$, 'nothing is left of the other');
select is(tests.unread('maya'), 3, 'and counts, as far as she sees it');
select bag_eq(
  $$ select id, actor_id, author_id from app.notifications where recipient_id <> tests.id('maya') $$,
  $$
    values
      (tests.id('of lena'), tests.id('maya'), tests.id('ann')), (tests.id('of her post'), tests.id('ann'), tests.id('maya')),
      (tests.id('of another post'), tests.id('ben'), tests.id('jonas'))
  $$,
  'others were told of her'
);
select is_empty($$ select from app.inbox_counts where user_id = tests.id('lena') $$, 'no count is left behind');
select tests.block('jonas', 'maya');
select is(tests.unread('jonas'), 0, 'and a block between them hides what the other did');

select * from finish();
