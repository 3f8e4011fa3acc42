select plan(2);

select tests.person('maya', 3);
select tests.act_as('maya');
select is(
  api.create_post('{"sliderText": "More trams?", "visibility": "public"}') -> 'slider',
  '{"leftLabel": "Disagree", "rightLabel": "Agree"}', 'a slider without labels has the usual ones'
);
select is(
  api.create_post('{"thoughtText": "Trams", "visibility": "public"}') -> 'slider', 'null', 'without a slider there are none'
);

select * from finish();
