select plan(4);

select tests.elm();
select tests.hub('oak', 'lena');
select tests.close_hub('oak');

select tests.act_as('lena');
select results_eq('select name from app.hubs', array['elm'], 'everybody may see that a Hub is there, until it is closed');
select throws_ok('insert into app.hubs (name) values ($$oak$$)', '42501', null, 'Hubs are made by app.found_hub alone');
select throws_ok('delete from app.hubs', '42501', null, 'and closed by their last member');
select tests.act_as_guest();
select results_eq('select name from app.hubs', array['elm'], 'a guest sees as much');

select * from finish();
