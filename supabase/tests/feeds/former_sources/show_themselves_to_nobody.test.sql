select plan(5);

select is_empty($$ select tests.who_may('select from app.former_sources') $$, 'nobody reads whom somebody followed');
select is_empty($$ select tests.who_may('insert into app.former_sources default values') $$, 'writes it');
select is_empty($$ select tests.who_may('delete from app.former_sources') $$, 'or removes it');
select tests.person(name) from unnest(array['maya', 'jonas']) as name;
select tests.follow('maya', 'jonas');
select tests.follow('jonas', 'maya');
delete from app.follows;
delete from app.users where id = tests.id('maya');
select results_eq('select user_id from app.former_sources', tests.ids('jonas'), 'it goes with who did');
select results_eq('select source_id from app.former_sources', tests.ids('maya'), 'and not with whom they followed');

select * from finish();
