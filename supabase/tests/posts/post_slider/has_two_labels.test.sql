select plan(2);

select tests.person('maya');
select tests.slider('trams', 'maya');
select tests.post('bikes', 'maya');
select is(app.post_slider(p), '{"leftLabel": "Disagree", "rightLabel": "Agree"}', 'of its sides') from app.posts as p where p.id = tests.id('trams');
select is(app.post_slider(p), null, 'a post without one has none') from app.posts as p where p.id = tests.id('bikes');

select * from finish();
