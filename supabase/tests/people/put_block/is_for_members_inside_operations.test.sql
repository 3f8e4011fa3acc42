select plan(1);

select set_eq($$ select tests.who_may('select app.put_block(null)') $$, array['authenticated'], 'a block is made in the name of who has a session');

select * from finish();
