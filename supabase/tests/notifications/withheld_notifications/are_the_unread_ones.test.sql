select plan(3);

select tests.elm();
select tests.post('trams', 'amara', 'private_locked_hub');
select tests.placed('trams', 'elm');
delete from app.events;
select tests.notification('of maya', 'jonas', p_actor => 'maya'), tests.notification('of her post', 'jonas', p_actor => 'lena', p_author => 'maya');
select tests.notification('of both', 'jonas', p_actor => 'maya', p_author => 'lena'), tests.notification('in elm', 'jonas', 'hub_role_changed', 'maya', 'elm');
select tests.notification('of trams by maya', 'jonas', 'post_reposted', 'maya', p_post => 'trams');
select tests.notification('of trams', 'jonas', 'post_reposted', 'amara', p_post => 'trams'), tests.notification('of amara', 'jonas', p_actor => 'amara');
select tests.notification('read', 'jonas', p_actor => 'maya'), tests.notification('read, of trams', 'jonas', 'post_reposted', 'amara', p_post => 'trams');
select tests.notification('read, of her post', 'jonas', p_actor => 'amara', p_author => 'maya'), tests.notification('to lena', 'lena', p_actor => 'maya');
update app.notifications set read_at = app.now() where id = any (tests.ids('read', 'read, of trams', 'read, of her post'));

select is_empty('select from app.withheld_notifications', 'of what people may see there is none');
select tests.block('maya', 'jonas');
select bag_eq('select id from app.withheld_notifications', tests.ids('of maya', 'of her post', 'of both', 'in elm', 'of trams by maya'), 'but of whom a block parts from them');
select tests.block('lena', 'jonas');
delete from app.memberships where user_id = tests.id('jonas');
select bag_eq(
  'select id, recipient_id, audience::text, scope_id from app.withheld_notifications',
  $$
    values
      (tests.id('of maya'), tests.id('jonas'), 'everybody', tests.id('jonas')), (tests.id('of her post'), tests.id('jonas'), 'everybody', tests.id('jonas')),
      (tests.id('of both'), tests.id('jonas'), 'everybody', tests.id('jonas')), (tests.id('in elm'), tests.id('jonas'), 'hub_member', tests.id('elm')),
      (tests.id('of trams'), tests.id('jonas'), 'target_member', tests.id('jonas')), (tests.id('of trams by maya'), tests.id('jonas'), 'target_member', tests.id('jonas'))
  $$,
  'and of posts for other Hubs, each once, with its scope'
);

select * from finish();
