select plan(11);

select tests.elm();
select tests.hub('ash', 'lena');
select tests.discussion('trams', 'jonas', 'elm');
select tests.placed('trams', 'ash');

create function pg_temp.save(p_name text, p_discussion text)
returns text
language sql
return tests.error_of(format('insert into app.saved_discussions (user_id, discussion_id) values (%L, %L)', tests.id(p_name), tests.id(p_discussion))) ->> 'state';

select tests.act_as('maya');
select is(pg_temp.save('maya', 'trams in elm'), null, 'one saves for oneself');
select is(pg_temp.save('jonas', 'trams in elm'), '42501', 'and for nobody else');
select is(pg_temp.save('maya', 'trams in ash'), '42501', 'what one sees');
select tests.act_as('jonas');
select is(pg_temp.save('jonas', 'trams in elm'), null, 'as does anybody');
select results_eq('select user_id from app.saved_discussions', tests.ids('jonas'), 'each sees their own');
delete from app.saved_discussions;
reset role;
select results_eq('select user_id, saved_at from app.saved_discussions', $$ values (tests.id('maya'), app.now()) $$, 'and removes no other');
select is(
  tests.violation_of($$ insert into app.saved_discussions select * from app.saved_discussions $$), 'saved_discussions_pkey', 'each is saved once'
);
select is_empty($$ select tests.who_may('update app.saved_discussions set saved_at = saved_at') $$, 'no role changes when');
select set_eq($$ select tests.who_may('select saved_at from app.saved_discussions') $$, '{authenticated}'::text[], 'guests have saved none');
delete from app.discussions where id = tests.id('trams in elm');
select is_empty('select from app.saved_discussions', 'what is gone is saved no more');
insert into app.saved_discussions (user_id, discussion_id) values (tests.id('lena'), tests.id('trams in ash'));
delete from app.users where id = tests.id('lena');
select is_empty('select from app.saved_discussions', 'nor by whom is gone');

select * from finish();
