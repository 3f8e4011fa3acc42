select plan(6);

select tests.person(name) from unnest(array['maya', 'jonas']) as name;
select tests.person('guest', 1);
select tests.person('former');
select tests.follow('jonas', 'maya');
select tests.follow('maya', 'former');
select app.erase_person(tests.id('former'));

create function pg_temp.error(p_name text)
returns jsonb
language sql
return tests.error_of(format('select api.update_follow(tests.user(%L) || %L)', p_name, '{"publicPostsMuted": true}'));

select tests.act_as('maya');
select is(
  pg_temp.error('jonas'), '{"state": "PT404", "code": "FOLLOW_NOT_FOUND", "details": null}', 'of whom one does not follow, nothing is muted'
);
select is(pg_temp.error('nobody') ->> 'code', 'FOLLOW_NOT_FOUND', 'nor of nobody');
select is(pg_temp.error('former') ->> 'code', 'FOLLOW_NOT_FOUND', 'nor of who has left');
select is(count(*)::integer, 0, 'nothing is') from app.follows where is_muted;
select tests.act_as('guest');
select is(pg_temp.error('jonas') #>> '{details,requiredLevel}', '2', 'nor by who has no profile');
select tests.act_as_guest();
select throws_ok($$ select api.update_follow(tests.user('jonas')) $$, '42501', null, 'nor by a guest');

select * from finish();
