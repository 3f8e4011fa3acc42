select plan(2);

select tests.person('maya', 3);
select tests.act_as('maya');
select lives_ok('select app.require_level(3)', 'the level itself is enough');
select lives_ok('select app.require_level(1)', 'and so is a higher one');

select * from finish();
