select plan(4);

select tests.person('maya', 3);
select tests.session('maya');

create function pg_temp.publish(out answer text, out is_replayed boolean)
language sql
return gateway.invoke_once(
  'create_post', tests.claims('maya'), '{"thoughtText": "Trams", "visibility": "public"}', 'key', 'fingerprint'
);

set local session authorization opine_gateway;
create temporary table answers as select 1 as request, * from pg_temp.publish();
insert into answers select 2, * from pg_temp.publish();

select ok(not is_replayed, 'the first request runs') from answers where request = 1;
select ok(is_replayed, 'the second does not') from answers where request = 2;
select is(count(distinct answer)::integer, 1, 'both have the same answer') from answers;
reset session authorization;
select is(count(*)::integer, 1, 'one post is published') from app.posts;

select * from finish();
