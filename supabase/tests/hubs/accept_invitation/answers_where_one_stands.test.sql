select plan(4);

select tests.elm();
select tests.hub('ash', 'amara');
select tests.membership('ash', 'jonas');
select tests.invitation('of an admin', 'elm', 'amara', 'lena');
select tests.invitation('of a member', 'ash', 'jonas', 'lena');

create function pg_temp.accept(p_name text)
returns jsonb
language sql
return api.accept_invitation(jsonb_build_object('invitationId', tests.id(p_name)));

select tests.act_as('lena');
select is(
  pg_temp.accept('of an admin'), jsonb_build_object('hubId', tests.id('elm'), 'viewerStatus', 'member', 'joinRequestId', null), 'within'
);
select is(
  pg_temp.accept('of a member') - 'joinRequestId', jsonb_build_object('hubId', tests.id('ash'), 'viewerStatus', 'pending_admin_approval'), 'or before the door'
);
reset role;
select isnt_empty($$ select from app.join_requests where user_id = tests.id('lena') and hub_id = tests.id('ash') $$, 'where one has asked to come in');
select is(
  tests.refusals('accept_invitation', jsonb_build_object('invitationId', tests.id('of an admin'))),
  tests.everybody('INVITATION_NOT_FOUND') || '{"lena": "INVITATION_NOT_PENDING"}', 'nobody else has that invitation, nor anybody twice'
);

select * from finish();
