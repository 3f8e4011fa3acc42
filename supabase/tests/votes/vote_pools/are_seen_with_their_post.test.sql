select plan(2);

select tests.person('maya', 4);
select tests.slider('public', 'maya', 'public');
select tests.slider('locked', 'maya', 'private_locked_hub');
select tests.vote('maya', 'public', 'left');
select tests.vote('maya', 'locked', 'left');

select tests.act_as_guest();
select results_eq('select post_id from app.vote_pools', array[tests.id('public')], 'a guest sees results of public posts');
select tests.act_as('maya');
select set_eq('select post_id from app.vote_pools', array[tests.id('public'), tests.id('locked')], 'an author sees those of all their own');

select * from finish();
