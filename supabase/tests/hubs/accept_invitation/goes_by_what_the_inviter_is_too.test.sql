select plan(8);

select tests.elm();
select tests.person('ann', 4);
select tests.membership('elm', 'ann', 'admin');
select tests.invitation('of a former admin', 'elm', 'amara', 'lena');
update app.memberships set role = 'manager' where user_id = tests.id('amara');
select tests.invitation('of a later admin', 'elm', 'maya', 'lena');
update app.memberships set role = 'admin' where user_id = tests.id('maya');
select tests.invitation('of one who has left', 'elm', 'jonas', 'lena', p_makes_member => true);
delete from app.memberships where user_id = tests.id('jonas');
select tests.hub('oak', 'amara');
select tests.hub('ash', 'jonas');

create function pg_temp.asks_by(p_invitation text)
returns boolean
language plpgsql
as $$
declare
  v_accepted record;
begin
  perform tests.act_as('lena');
  v_accepted := app.accept_invitation(tests.id(p_invitation));
  perform set_config('role', 'none', true);
  delete from app.join_requests;
  return v_accepted.join_request_id is not null;
end
$$;

select ok(pg_temp.asks_by(name), 'an invitation ' || name || ' makes no member')
from unnest(array['of a former admin', 'of a later admin', 'of one who has left']) as name;
select is_empty($$ select from app.memberships where user_id = tests.id('lena') $$, 'by none of them');
select tests.invitation('of an admin', 'elm', 'ann', 'lena');
select ok(not pg_temp.asks_by('of an admin'), 'that of an admin does');
select isnt_empty($$ select from app.memberships where user_id = tests.id('lena') $$, 'at once');
select tests.invitation('note', 'elm', 'maya', 'lena');
select is(tests.refusal_of('lena', $$ select app.accept_invitation(tests.id('note')) $$), 'PT409 ALREADY_MEMBER', 'who is a member needs none');
select is(state, 'pending', 'and uses none up') from app.hub_invitations where id = tests.id('note');

select * from finish();
