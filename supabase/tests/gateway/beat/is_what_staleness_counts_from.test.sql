select plan(4);

set local session authorization opine_gateway;
select is(gateway.staleness(), 'infinity'::interval, 'where nobody ever beat, what is read may be of any age');
set local session authorization opine_worker;
select gateway.beat();
set local session authorization opine_gateway;
select is(gateway.staleness(), '0'::interval, 'a beat is new');
reset session authorization;
update gateway.heartbeat set beaten_at = beaten_at - interval '7 seconds';
set local session authorization opine_gateway;
select is(gateway.staleness(), '7 seconds'::interval, 'and grows old');
set local session authorization opine_worker;
select gateway.beat();
reset session authorization;
select is(count(*), 1::bigint, 'there is one, however often it beats') from gateway.heartbeat;

select * from finish();
