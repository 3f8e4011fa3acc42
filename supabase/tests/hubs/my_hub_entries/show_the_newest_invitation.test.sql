select plan(1);

select tests.elm();
select tests.hub('ash', 'amara');
select tests.membership('ash', 'jonas');
select tests.invitation('first to elm', 'elm', 'amara', 'lena');
select tests.invitation('newest to elm', 'elm', 'maya', 'lena');
select tests.invitation('newest to ash', 'ash', 'jonas', 'lena');
select tests.invitation('first to ash', 'ash', 'amara', 'lena');
update app.hub_invitations set created_at = app.now() - interval '1 hour' where id = any (tests.ids('first to elm', 'first to ash'));
-- Rows lie in the order of their last change: to elm the newest lies first, to ash the other one.
update app.hub_invitations set created_at = app.now() where id = tests.id('newest to ash');

select tests.act_as('lena');
select set_eq(
  'select (standing).invitation_id, at from app.my_hub_entries',
  $$ values (tests.id('newest to elm'), app.now()), (tests.id('newest to ash'), app.now()) $$, 'of two, whichever was written down first'
);

select * from finish();
