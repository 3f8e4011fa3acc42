select plan(2);

set local role authenticated;
select throws_ok('select app.require_level(1)', 'PT401', 'UNAUTHORIZED', 'nobody has no level');
select tests.act_as('without an account');
select throws_ok('select app.require_level(1)', 'PT401', 'UNAUTHORIZED', 'nor has a token of another service''s user');

select * from finish();
