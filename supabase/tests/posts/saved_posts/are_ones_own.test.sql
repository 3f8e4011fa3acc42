select plan(14);

select tests.elm();
select tests.post('trams', 'lena');
select tests.post('hidden', 'lena', 'private_locked_hub');
select tests.discussion('locked', 'jonas', 'elm');

create function pg_temp.save(p_caller text, p_user text, p_post text)
returns text
language sql
return tests.refusal_of(p_caller, format('insert into app.saved_posts (user_id, post_id) values (%L, %L)', tests.id(p_user), tests.id(p_post)));

select is(pg_temp.save('maya', 'maya', 'trams'), null, 'one saves for oneself');
select is(pg_temp.save('maya', 'jonas', 'trams'), '42501', 'and for nobody else');
select is(pg_temp.save('maya', 'maya', 'locked'), null, 'what one sees');
select is(pg_temp.save('maya', 'maya', 'hidden'), '42501', 'and nothing else');
select is(pg_temp.save('jonas', 'jonas', 'trams'), null, 'as does anybody');
select is(pg_temp.save(null, 'maya', 'trams'), '42501', 'but guests');
select tests.act_as('jonas');
select results_eq('select user_id from app.saved_posts', tests.ids('jonas'), 'each sees their own');
delete from app.saved_posts;
reset role;
select set_eq(
  'select user_id, post_id, saved_at from app.saved_posts', $$ select tests.id('maya'), post, app.now() from unnest(tests.ids('trams', 'locked')) as post $$,
  'and removes no other'
);
select is(tests.violation_of('insert into app.saved_posts select * from app.saved_posts'), 'saved_posts_pkey', 'each is saved once');
select is_empty($$ select tests.who_may('insert into app.saved_posts (user_id, post_id, saved_at) values (null, null, null)') $$, 'nobody says when');
select is_empty($$ select tests.who_may('update app.saved_posts set saved_at = saved_at') $$, 'or changes that');
select set_eq($$ select tests.who_may('delete from app.saved_posts') $$, array['authenticated'], 'members forget');
select tests.act_as_guest();
select is_empty('select from app.saved_posts', 'guests have saved none');
reset role;
delete from app.posts where id = tests.id('trams');
select results_eq('select post_id from app.saved_posts', tests.ids('locked'), 'what is gone is saved no more');

select * from finish();
