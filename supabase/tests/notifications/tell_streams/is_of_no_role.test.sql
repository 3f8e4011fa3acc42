select plan(1);

select is_empty($$ select tests.who_may('select app.tell_streams(null)') $$, 'no role tells of what it likes');

select * from finish();
