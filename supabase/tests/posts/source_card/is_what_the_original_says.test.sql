select plan(3);

select tests.person('maya');
select tests.slider('trams', 'maya');
select tests.post('bikes', 'maya');
update app.posts set is_shareable = false where id = tests.id('bikes');
select is(
  app.source_card(p, '{"title": "Trams"}'),
  '{
    "article": {"title": "Trams"}, "thoughtText": null, "sliderText": "trams", "slider": {"leftLabel": "Disagree", "rightLabel": "Agree"},
    "isShareable": true
  }',
  'its article and slider'
)
from app.posts as p where p.id = tests.id('trams');
select is(
  app.source_card(p, null),
  '{"article": null, "thoughtText": "bikes", "sliderText": null, "slider": null, "isShareable": false}', 'or its thought, and whether it may be shared'
)
from app.posts as p where p.id = tests.id('bikes');
select is(app.source_card(null, '{}'), null, 'without one there is none');

select * from finish();
