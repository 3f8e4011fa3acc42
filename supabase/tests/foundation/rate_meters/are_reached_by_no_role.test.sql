select plan(2);

select is_empty($$ select tests.who_may('select from app.rate_meters') $$, 'no role sees how much of a limit anybody has used');
select is_empty($$ select tests.who_may('delete from app.rate_meters') $$, 'nor gives anybody a limit back');

select * from finish();
