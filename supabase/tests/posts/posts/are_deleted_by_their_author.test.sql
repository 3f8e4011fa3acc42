select plan(3);

select tests.person('maya', 3);
select tests.person('jonas', 3);
select tests.post('trams', 'maya');
select tests.post('bikes', 'jonas');
select tests.act_as('maya');
select lives_ok('delete from app.posts', 'one may delete posts');
select results_eq('select thought_text from app.posts', array['bikes'], 'one''s own');
select tests.act_as_guest();
select throws_ok('delete from app.posts', '42501', null, 'a guest deletes none');

select * from finish();
