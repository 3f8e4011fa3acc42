select plan(2);

select tests.person('maya', 3);
select tests.session('maya');
select tests.person('jonas', 3);
select tests.session('jonas');
set local session authorization opine_gateway;
create temporary table answers as
select maya.* from gateway.invoke_once('create_post', tests.claims('maya'), '{"thoughtText": "Trams", "visibility": "public"}', 'key', 'f') as maya;
insert into answers
select jonas.* from gateway.invoke_once('create_post', tests.claims('jonas'), '{"thoughtText": "Trams", "visibility": "public"}', 'key', 'f') as jonas;
reset session authorization;

select ok(not bool_or(is_replayed), 'the same key of two people is two keys') from answers;
select set_eq(
  $$ select answer::jsonb -> 'author' ->> 'username' from answers $$, array['maya', 'jonas'], 'each has their own answer'
);

select * from finish();
