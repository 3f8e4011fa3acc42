select plan(3);

select is_empty($$ select tests.who_may('select from app.stored_objects') $$, 'no role sees what is whose in storage');
select is_empty($$ select tests.who_may('update app.stored_objects set owner_id = owner_id') $$, 'nor gives it to anybody');
select is_empty($$ select tests.who_may('delete from app.stored_objects') $$, 'nor forgets it');

select * from finish();
