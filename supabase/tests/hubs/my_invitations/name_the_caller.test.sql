select plan(5);

select tests.elm();
select tests.hub('oak', 'lena');
select tests.invitation('open', 'oak', 'lena', 'maya');
select tests.invitation('accepted', 'oak', 'lena', 'maya', 'accepted');
select tests.invitation('declined', 'oak', 'lena', 'maya', 'declined');
select tests.person('ann', 4);
select tests.membership('oak', 'ann');
select tests.invitation('over', 'oak', 'ann', 'maya', 'pending', app.now());
select tests.invitation('another''s', 'elm', 'maya', 'somebody');

select tests.act_as('maya');
select bag_eq(
  'select invitation_id, hub_id, invited_at, state::text from app.my_invitations',
  $$
    values
      (tests.id('open'), tests.id('oak'), app.now(), 'pending'),
      (tests.id('accepted'), tests.id('oak'), app.now(), 'accepted'),
      (tests.id('declined'), tests.id('oak'), app.now(), 'declined'),
      (tests.id('over'), tests.id('oak'), app.now(), 'expired')
  $$,
  'those that name one''s own phone, with what became of them, and not all that a manager sees'
);
reset role;
select tests.block('lena', 'maya');
select tests.act_as('maya');
select results_eq('select invitation_id from app.my_invitations', array[tests.id('over')], 'none by whom one is blocked');
reset role;
select tests.membership('oak', 'maya', 'manager');
select tests.act_as('maya');
select results_eq('select invitation_id from app.my_invitations', array[tests.id('over')], 'whatever a manager sees');
reset role;
select tests.person('phoneless', 2);
select tests.act_as('phoneless');
select is_empty('select from app.my_invitations', 'none without a phone');
select tests.act_as_guest();
select throws_ok('select from app.my_invitations', '42501', null, 'a guest has none');

select * from finish();
