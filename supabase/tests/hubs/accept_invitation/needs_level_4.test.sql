select plan(3);

select tests.elm();
select tests.invitation('note', 'elm', 'amara', 'lena');
update app.users set contacts_synced_at = null where id = tests.id('lena');

select is(tests.refusal_of('lena', $$ select app.accept_invitation(tests.id('note')) $$), 'PT403 FORBIDDEN', 'accepting needs level 4');
select is(state, 'pending', 'the refused invitation stays open') from app.hub_invitations;
select is(tests.refusal_of('lena', $$ select app.decline_invitation(tests.id('note')) $$), null, 'declining does not need level 4');

select * from finish();
