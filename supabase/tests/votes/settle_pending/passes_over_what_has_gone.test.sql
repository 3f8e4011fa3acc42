select plan(5);

select tests.elm();
select tests.hub('oak', 'jonas');
select tests.slider('trams', 'lena');
select tests.slider('bikes', 'lena');
select tests.vote('jonas', name, 'right') from unnest(array['trams', 'bikes']) as name;
delete from app.hubs where id = tests.id('oak');
select app.settle_pending(tests.id('trams'), array[tests.key()]);
select results_eq('select tests.pending()', array['trams in elm now (0,0,0,1,0)'], 'a Hub that has gone gets nothing');
select tests.vote('maya', 'trams', 'left');
delete from app.posts where id = tests.id('bikes');
select app.settle_pending(tests.id('bikes'), '{}');
select is_empty($$ select from app.pending_ballots where post_id = tests.id('bikes') $$, 'of a post that has gone nothing is kept, whatever the key');
select results_eq('select tests.ballots()', array['trams (0,1,0,0,0) for elm'], 'those of other posts are');
delete from app.hubs where id = tests.id('elm');
select is_empty('select from app.pending_totals', 'totals go with their Hub');
select tests.hub('ash', 'jonas');
select tests.sealed_total('trams', 'ash', row(1, 0, 0, 0, 0));
delete from app.posts where id = tests.id('trams');
select is_empty('select from app.pending_totals', 'and with their post');

select * from finish();
