select plan(4);

select tests.elm();
select tests.hub('ash', 'lena');
select tests.close_hub('ash');
select is(tests.refusal_of('lena', $$ select app.require_hub(tests.id('elm')) $$), null, 'for whoever it is');
select is(tests.refusal_of('lena', $$ select app.require_hub(tests.id('ash')) $$), 'PT404 HUB_NOT_FOUND', 'one that has closed is not there');
select is(tests.refusal_of('lena', $$ select app.require_hub(tests.id('unknown')) $$), 'PT404 HUB_NOT_FOUND', 'nor is one that never was');
select app.set_clock_offset('1 day');
select is(tests.error_of($$ select app.require_hub(tests.id('ash')) $$) ->> 'code', 'HUB_NOT_FOUND', 'past the policies neither');

select * from finish();
