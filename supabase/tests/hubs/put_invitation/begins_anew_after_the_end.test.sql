select plan(6);

select tests.elm();
select tests.hub('oak', 'amara');
select tests.invitation('over', 'elm', 'amara', 'lena', 'pending', app.now());
select tests.invitation('of ann', 'elm', 'amara', 'ann', 'pending', app.now());
select tests.invitation('by maya', 'elm', 'maya', 'lena', 'pending', app.now());
select tests.invitation('to oak', 'oak', 'amara', 'lena', 'pending', app.now());
select tests.invitation('declined', 'elm', 'amara', 'lena', 'declined', app.now());
select tests.act_as('amara');
select isnt(
  (app.put_invitation(tests.id('elm'), tests.phone_of('lena'), tests.hash('new'))).id, tests.id('over'), 'an invitation that has expired is made anew'
);
reset role;
select is(state, 'expired', 'and stays expired') from app.hub_invitations where id = tests.id('over');
select bag_eq(
  $$ select id, state from app.hub_invitations where token_hash <> tests.hash('new') and id <> tests.id('over') $$,
  $$
    values
      (tests.id('of ann'), 'pending'::app.invitation_state), (tests.id('by maya'), 'pending'), (tests.id('to oak'), 'pending'),
      (tests.id('declined'), 'declined')
  $$,
  'all others stay what they were'
);
select results_eq('select tests.events()', array['hub_invite_received: amara, nobody'], 'this is told again');
update app.hub_invitations set state = 'declined' where token_hash = tests.hash('new');
select is(
  tests.refusal_of('amara', $$ select app.put_invitation(tests.id('elm'), tests.phone_of('lena'), tests.hash('newer')) $$), null,
  'who has declined may be invited again'
);
select results_eq(
  $$ select state, count(*) from app.hub_invitations where phone = tests.phone_of('lena') and hub_id = tests.id('elm') and inviter_id = tests.id('amara') group by 1 order by 1 $$,
  $$ values ('pending'::app.invitation_state, 1::bigint), ('declined', 2), ('expired', 1) $$, 'by an invitation of its own'
);

select * from finish();
