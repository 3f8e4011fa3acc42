select plan(3);

select tests.person('maya', 1);
insert into app.hubs (id, name, closed_at)
select tests.id(name), name, app.now() from unnest(array['Elm', 'Old elm', 'Old elm here']) as name;
select tests.act_as('maya');
select is_empty($$ select app.find_hubs('elm', app.decode_hit(null), 10) $$, 'by name, last word or likeness');
reset role;
select is_empty($$ select app.find_hubs_alike('elm') $$, 'or likeness alone');
update app.hubs set closed_at = null;
select tests.act_as('maya');
select is(count(*)::integer, 3, 'while they are there all are') from app.find_hubs('elm', app.decode_hit(null), 10);

select * from finish();
