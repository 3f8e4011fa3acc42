select plan(4);

select tests.elm();
select tests.invitation('amara''s', 'elm', 'amara', 'lena');
select tests.invitation('maya''s', 'elm', 'maya', 'lena');
select tests.invitation('jonas''s', 'elm', 'jonas', 'lena');
select tests.block('amara', 'lena');
select tests.block('lena', 'maya');
select tests.block('jonas', 'maya');

select set_config('request.jwt.claims', tests.claims('lena')::text, true);
select throws_ok(
  format('select app.lock_own_invitation(tests.id(%L))', name), 'PT404', 'INVITATION_NOT_FOUND', name || ' ''s invitation is not there across a block'
)
from unnest(array['amara''s', 'maya''s']) as name;
select lives_ok($$ select app.lock_own_invitation(tests.id('jonas''s')) $$, 'another is');
select set_eq(
  $$ select id from app.hub_invitations where xmax::text <> '0' $$, array[tests.id('jonas''s')], 'and stays as it is meanwhile'
);

select * from finish();
