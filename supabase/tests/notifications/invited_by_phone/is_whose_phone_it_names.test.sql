select plan(6);

select tests.elm();
select tests.invitation('hers', 'elm', 'maya', 'lena');
select tests.invitation('nobodys', 'elm', 'maya', 'somebody elsewhere');
select tests.invitation('his', 'elm', 'maya', 'jonas');

select results_eq(
  $$ select app.invited_by_phone(tests.event('hub_invite_received', 'maya', p_hub => 'elm', p_invitation => 'hers'), '00000000-0000-0000-0000-000000000000', 10) $$,
  tests.ids('lena'), 'whose phone an invitation names'
);
select is_empty(
  $$ select app.invited_by_phone(tests.event('hub_invite_received', 'maya', p_hub => 'elm', p_invitation => 'nobodys'), '00000000-0000-0000-0000-000000000000', 10) $$,
  'where it is anybody''s'
);
select is_empty(
  $$ select app.invited_by_phone(tests.event('hub_invite_received', 'maya', p_hub => 'elm', p_invitation => 'hers'), tests.id('lena'), 10) $$, 'once'
);
select is_empty(
  $$ select app.invited_by_phone(tests.event('hub_invite_received', 'maya', p_hub => 'elm', p_invitation => 'his'), '00000000-0000-0000-0000-000000000000', 10) $$,
  'who is a member already need not come'
);
select tests.hub('oak', 'lena');
select isnt_empty(
  $$ select app.invited_by_phone(tests.event('hub_invite_received', 'maya', p_hub => 'elm', p_invitation => 'hers'), '00000000-0000-0000-0000-000000000000', 10) $$,
  'a member of another Hub may'
);
select is_empty($$ select tests.who_may('select app.invited_by_phone(null, null, null)') $$, 'no role asks');

select * from finish();
