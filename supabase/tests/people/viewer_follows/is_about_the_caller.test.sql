select plan(3);

select tests.person(name) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.follow('maya', 'jonas');
select tests.follow('lena', 'maya');
select tests.act_as('maya');
select ok(app.viewer_follows(tests.id('jonas')), 'whom the caller follows');
select ok(not app.viewer_follows(tests.id('lena')), 'not who follows the caller');
select tests.act_as('lena');
select ok(not app.viewer_follows(tests.id('jonas')), 'nor whom others follow');

select * from finish();
