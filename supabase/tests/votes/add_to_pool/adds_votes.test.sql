select plan(3);

select tests.elm();
select tests.slider('trams', 'maya');
select tests.slider('bikes', 'maya');
select app.add_to_pool(tests.id('trams'), tests.id('elm'), row(1, 2, 3, 4, 5));
select results_eq('select tests.pools()', array['trams in elm (1,2,3,4,5)'], 'to a pool that there was not yet');
select app.add_to_pool(tests.id('bikes'), tests.id('elm'), row(0, 0, 7, 0, 0));
select app.add_to_pool(tests.id('trams'), tests.id('elm'), row(10, 20, 30, 40, 50));
select bag_eq('select tests.pools()', array['trams in elm (11,22,33,44,55)', 'bikes in elm (0,0,7,0,0)'], 'to what is in it');
select is_empty($$ select tests.who_may('select app.add_to_pool(null, null, null)') $$, 'no role adds any by itself');

select * from finish();
