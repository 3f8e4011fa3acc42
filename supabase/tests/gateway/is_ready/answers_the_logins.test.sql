select plan(2);

set local session authorization opine_gateway;
select ok(gateway.is_ready(), 'the gateway''s login is answered');
set local session authorization opine_serializable;
select ok(gateway.is_ready(), 'and the serializable one');

select * from finish();
