select plan(3);

create temporary table ids (bound uuid, made uuid);
insert into ids (made) values (app.uuid_v7());
update ids set bound = app.first_id_within('1 hour');
select ok(bound < made, 'an id made since is greater') from ids;
update ids set bound = app.first_id_within('-1 hour');
select ok(bound > made, 'one made before is not') from ids;
select is_empty($$ select tests.who_may($s$ select app.first_id_within('1 hour') $s$) $$, 'no role asks');

select * from finish();
