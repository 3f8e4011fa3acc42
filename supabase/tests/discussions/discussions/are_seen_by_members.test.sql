select plan(5);

select tests.elm();
select tests.hub('ash', 'lena');
select tests.discussion('trams', 'jonas', 'elm');
select tests.placed('trams', 'ash');
select tests.message('in elm', 'jonas', 'trams in elm');
select tests.message('in ash', 'jonas', 'trams in ash');

select tests.act_as('maya');
select results_eq('select id from app.discussions', tests.ids('trams in elm'), 'those of one''s Hubs');
select results_eq('select id from app.messages', tests.ids('in elm'), 'with what is said in them');
select tests.act_as('lena');
select results_eq('select id from app.discussions', tests.ids('trams in ash'), 'and no other');
select results_eq('select id from app.messages', tests.ids('in ash'), 'nor what is said in others');
select tests.act_as_guest();
select throws_ok('select from app.discussions', '42501', null, 'guests see none');

select * from finish();
