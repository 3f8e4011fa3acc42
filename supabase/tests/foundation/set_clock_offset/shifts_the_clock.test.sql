select plan(4);

select is(app.set_clock_offset('8 days'), now() + interval '8 days', 'answers the new time');
select is(app.now(), now() + interval '8 days', 'the clock is shifted');
select tests.act_as_guest();
select is(app.now(), now() + interval '8 days', 'for everybody');
reset role;
select app.set_clock_offset('-1 hour');
select is(app.now(), now() - interval '1 hour', 'a later shift replaces the first');

select * from finish();
