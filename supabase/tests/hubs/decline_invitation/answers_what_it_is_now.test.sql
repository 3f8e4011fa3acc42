select plan(4);

select tests.elm();
select tests.invitation('open', 'elm', 'amara', 'lena');
create function pg_temp.args()
returns jsonb
language sql
return jsonb_build_object('invitationId', tests.id('open'));

select is(
  tests.refusals('decline_invitation', pg_temp.args()), (tests.everybody('INVITATION_NOT_FOUND') || '{"nina": "INVITATION_NOT_FOUND"}'::jsonb) - 'lena',
  'only the person whom an invitation names declines it'
);
select tests.act_as('lena');
select is(api.decline_invitation(pg_temp.args()), jsonb_build_object('id', tests.id('open'), 'state', 'declined'), 'which it then is');
reset role;
select results_eq('select state from app.hub_invitations', $$ values ('declined'::app.invitation_state) $$, 'and stays');
select is(
  tests.refusals('decline_invitation', pg_temp.args()), tests.everybody('INVITATION_NOT_FOUND') || '{"nina": "INVITATION_NOT_FOUND", "lena": "INVITATION_NOT_PENDING"}', 'no one declines it twice'
);

select * from finish();
