select plan(3);

select tests.elm();
select tests.link('open', 'elm');
create function pg_temp.args(p_name text)
returns jsonb
language sql
return jsonb_build_object('tokenHash', tests.hex(p_name));

select is(
  tests.refusals('request_to_join', pg_temp.args('open')), tests.everybody('ALREADY_MEMBER') - 'lena', 'whoever is Hub-ready and no member asks'
);
select is(tests.refusals('request_to_join', pg_temp.args('unknown')), tests.everybody('INVITE_LINK_NOT_FOUND'), 'by a link that is there');
select tests.act_as('lena');
create temporary table answers as select api.request_to_join(pg_temp.args('open')) as answer;
reset role;
select is(
  answer, (select jsonb_build_object('id', r.id, 'hubId', tests.id('elm'), 'state', 'pending_admin_approval') from app.join_requests as r where r.user_id = tests.id('lena')),
  'which is open now'
)
from answers;

select * from finish();
