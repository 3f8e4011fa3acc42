select plan(2);

select is(app.now(), now(), 'the clock of every rule is the transaction''s time');
select tests.act_as_guest();
select is(app.now(), now(), 'for guests as well');

select * from finish();
