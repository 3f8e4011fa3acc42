select plan(3);

select tests.elm();
select tests.invitation('note', 'elm', 'amara', 'lena');
update app.users set contacts_synced_at = null where id = tests.id('lena');

select is(tests.refusal_of('lena', format('select app.%s(tests.id(%L))', move, 'note')), 'PT403 FORBIDDEN', 'who is not Hub-ready gets no further: ' || move)
from unnest(array['accept_invitation', 'decline_invitation']) as move;
select is(state, 'pending', 'nothing comes of it') from app.hub_invitations;

select * from finish();
