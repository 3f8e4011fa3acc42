select plan(4);

select tests.elm();
select tests.invitation('note', 'elm', 'maya', 'lena');
select tests.invitation('jonas''s', 'elm', 'jonas', 'lena', p_expires_at => app.now() + interval '1 day');
update app.memberships set role = 'admin' where user_id = tests.id('maya');
select app.set_clock_offset('10 minutes');
select tests.act_as('maya');
select is(
  (app.put_invitation(tests.id('elm'), tests.phone_of('lena'), tests.hash('new'))).id, tests.id('note'), 'whoever is invited again has the same invitation'
);
reset role;
select results_eq(
  $$ select token_hash, makes_member, state, expires_at from app.hub_invitations where id = tests.id('note') $$,
  $$ values (tests.hash('new'), true, 'pending'::app.invitation_state, now() + interval '7 days 10 minutes') $$,
  'with another token, for another week, by what the inviter is now'
);
select is_empty('select from app.events', 'and is not told again');
select results_eq(
  $$ select token_hash, state, expires_at from app.hub_invitations where id = tests.id('jonas''s') $$,
  $$ values (tests.hash('jonas''s'), 'pending'::app.invitation_state, now() + interval '1 day') $$,
  'what others sent stays as it is'
);

select * from finish();
