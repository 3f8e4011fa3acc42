select plan(1);

select tests.elm();
select tests.invitation('of a member', 'elm', 'jonas', 'lena');
select tests.act_as('lena');
create temporary table answers as select api.accept_invitation(jsonb_build_object('invitationId', tests.id('of a member'))) as answer;
reset role;
select is((answer ->> 'joinRequestId')::uuid, (select r.id from app.join_requests as r), 'that an admin has to decide') from answers;

select * from finish();
