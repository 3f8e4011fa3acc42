select plan(2);

select is(
  app.hub_reasons(array[
    tests.entry('trams', p_kind => 'shared_to_hub'), tests.entry('bikes', p_kind => 'targeted'), tests.entry('cars', p_kind => 'shared_to_hub')
  ]),
  array['shared_to_hub', 'joined_hub_post', 'shared_to_hub'], 'published there or shared onward, in their order'
);
select is(app.hub_reasons('{}'), '{}', 'of nothing there is none');

select * from finish();
