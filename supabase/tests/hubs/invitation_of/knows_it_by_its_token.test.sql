select plan(9);

select tests.elm();
select tests.hub('oak', 'lena');
select tests.invitation('note', 'elm', 'amara', 'lena');
select tests.invitation('over', 'elm', 'maya', 'lena', 'declined', app.now());
select tests.invitation('late', 'elm', 'jonas', 'lena', 'pending', app.now());
select tests.invitation('to oak', 'oak', 'lena', 'jonas');
select tests.close_hub('oak');

create function pg_temp.refusal_of(p_token text)
returns text
language sql
as $$ select tests.refusal_of(null, format('select app.invitation_of(tests.hash(%L))', p_token)) $$;

select tests.act_as_guest();
select is((app.invitation_of(tests.hash('note'))).id, tests.id('note'), 'whoever has its token finds an invitation');
select is((app.invitation_of(tests.hash('over'))).state, 'declined', 'whatever has become of it');
select is((app.invitation_of(tests.hash('late'))).state, 'expired', 'by now');
select is((app.invitation_of(tests.hash('note'))).inviter_name, 'Amara', 'and who has sent it');
reset role;
select tests.block('amara', 'lena');
delete from app.profiles where user_id = tests.id('maya');
select tests.act_as('lena');
select results_eq(
  $$ select (app.invitation_of(tests.hash(token))).inviter_name from unnest(array['note', 'over']) as token $$, array['Amara', null],
  'blocked or not; nobody, where their account has ended'
);
reset role;
select is(pg_temp.refusal_of('nothing'), 'PT404 INVITATION_NOT_FOUND', 'of no other token');
select is(tests.refusal_of(null, 'select app.invitation_of(null)'), 'PT404 INVITATION_NOT_FOUND', 'nor of none');
select is(pg_temp.refusal_of('to oak'), 'PT404 INVITATION_NOT_FOUND', 'nor where the Hub is closed');
select set_eq($$ select tests.who_may('select app.invitation_of(null)') $$, array['anon', 'authenticated'], 'guests look as well');

select * from finish();
