select plan(2);

select tests.person(name) from unnest(array['maya', 'jonas']) as name;

create function pg_temp.follow(p_follower text, p_followee text)
returns void
language sql
as $$ insert into app.follows (follower_id, followee_id) values (tests.id(p_follower), tests.id(p_followee)) $$;

select tests.act_as('maya');
select throws_ok($$ select pg_temp.follow('jonas', 'maya') $$, '42501', null, 'nobody makes somebody follow them');
select throws_ok($$ select pg_temp.follow('maya', 'jonas') $$, '42501', null, 'nor follows without the event of it');

select * from finish();
