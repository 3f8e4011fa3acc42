select plan(3);

select tests.person(name) from unnest(array['maya', 'jonas', 'lena', 'ann']) as name;
select tests.follow('jonas', 'maya');
select tests.follow('lena', 'maya');
select tests.follow('maya', 'lena');
select tests.act_as_guest();
select is(app.public_profile(tests.id('maya')) -> 'counts', '{"followers": 2, "following": 1}', 'those who follow, and those followed');
select is(app.public_profile(tests.id('jonas')) -> 'counts', '{"followers": 0, "following": 1}', 'each on their side');
select is(app.public_profile(tests.id('ann')) -> 'counts', '{"followers": 0, "following": 0}', 'nobody is none');

select * from finish();
