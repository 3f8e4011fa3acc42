select plan(2);

select tests.elm();
select tests.invitation('of lena', 'elm', 'jonas', 'lena');
select tests.invitation('of ben', 'elm', 'maya', 'ben');
delete from app.memberships where user_id = tests.id('jonas');
select tests.act_as('jonas');
select results_eq(
  $$ select item ->> 'id', item ->> 'phoneNumber', item ->> 'state' from app.own_sent_invitations() as item $$,
  $$ values (tests.id('of lena')::text, tests.phone_of('lena'), 'pending') $$, 'whom one invited, and nobody else, though one has left'
);
select tests.act_as('lena');
select is_empty('select app.own_sent_invitations()', 'to be invited is something else');

select * from finish();
