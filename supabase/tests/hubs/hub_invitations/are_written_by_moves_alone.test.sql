select plan(3);

select tests.elm();
select tests.invitation('note', 'elm', 'amara', 'lena');
select tests.act_as('amara');
reset role;
select is_empty(
  $$
    select tests.who_may(
      'insert into app.hub_invitations (hub_id, inviter_id, phone, token_hash, makes_member, expires_at)
      values (tests.id(''elm''), tests.id(''amara''), ''+12025550100'', tests.hash(''token''), true, app.now())'
    )
  $$,
  'no role makes an invitation'
);
select is_empty(
  $$
    select attribute from unnest(array['state', 'phone', 'makes_member', 'expires_at', 'token_hash']) as attribute
    where exists (select tests.who_may(format('update app.hub_invitations set %1$I = %1$I', attribute)))
  $$,
  'or changes one'
);
select is_empty($$ select tests.who_may('delete from app.hub_invitations') $$, 'or takes one back');

select * from finish();
