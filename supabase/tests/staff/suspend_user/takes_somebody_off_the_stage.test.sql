select plan(12);

select tests.elm();
select tests.session('maya');
select tests.post('trams', 'maya'), tests.post('buses', 'jonas'), tests.comment('hers', 'maya', 'buses'), tests.device_token('phone', 'maya');
select tests.report('jonas', p_user => 'maya');
create function pg_temp.sees(p_viewer text)
returns text[]
language plpgsql
as $$
declare
  v_seen text[];
begin
  perform tests.act_as(p_viewer);
  v_seen := array(
    select 'post' from app.posts where author_id = tests.id('maya')
    union all select 'comment' from app.comments where author_id = tests.id('maya')
    union all select 'profile' from app.profiles where user_id = tests.id('maya')
  );
  perform set_config('role', 'none', true);
  return v_seen;
end
$$;
select is(pg_temp.sees('jonas'), array['post', 'comment', 'profile'], 'before, jonas sees what she says');

select tests.log_in_as('nina', 'staff_moderator');
select staff.suspend_user(tests.id('maya'), 'spam');
select throws_ok(format('select staff.suspend_user(%L, %L)', tests.id('nobody'), 'spam'), 'PT404', 'USER_NOT_FOUND', 'nobody else can be');
select throws_ok(format('select staff.suspend_user(%L, null)', tests.id('jonas')), 'PT422', 'REASON_MISSING', 'and none without a reason');
select isnt(suspended_at, null, 'staff sees that she is') from staff.accounts where username = 'maya';
reset session authorization;
select is(pg_temp.sees('jonas'), '{}', 'then nothing of it');
select is_empty($$ select from app.sessions where user_id = tests.id('maya') $$, 'her sessions have ended');
select is_empty($$ select from app.device_tokens where user_id = tests.id('maya') $$, 'her phone is told of nothing');
select throws_ok(format('select app.open_session(%L, %L)', tests.id('maya'), '{"deviceKind": "ios"}'), 'PT403', 'ACCOUNT_SUSPENDED', 'and she cannot sign in');
select is_empty($$ select from app.reports where state = 'open' $$, 'the report of her is closed');

set local session authorization nina;
select staff.restore_user(tests.id('maya'), 'a mistake');
select throws_ok(format('select staff.restore_user(%L, %L)', tests.id('maya'), 'again'), 'PT404', 'USER_NOT_FOUND', 'only whoever is suspended can be restored');
reset session authorization;
select is(pg_temp.sees('jonas'), array['post', 'comment', 'profile'], 'restored, all is there again');
select results_eq(
  $$ select details ->> 'reason' from tests.audited('suspend_user') as details union all select details ->> 'reason' from tests.audited('restore_user') as details $$,
  array['spam', 'a mistake'], 'it is written down why'
);

select * from finish();
