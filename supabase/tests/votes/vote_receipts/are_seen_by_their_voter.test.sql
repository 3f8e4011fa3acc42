select plan(3);

select tests.person('maya', 3);
select tests.person('jonas');
select tests.slider('trams', 'maya');
select tests.vote('maya', 'trams', 'left');
select tests.vote('jonas', 'trams', 'right');

select tests.act_as('jonas');
select results_eq('select user_id from app.vote_receipts', array[tests.id('jonas')], 'one sees one''s own receipt');
select tests.act_as('maya');
select results_eq('select user_id from app.vote_receipts', array[tests.id('maya')], 'a post''s author no more than that');
select tests.act_as_guest();
select is_empty('select from app.vote_receipts', 'a guest sees none');

select * from finish();
