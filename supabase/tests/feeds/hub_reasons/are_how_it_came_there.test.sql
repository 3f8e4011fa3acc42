select plan(3);

select tests.elm();
select tests.post(name, 'lena') from unnest(array['trams', 'bikes', 'cars']) as name;
select tests.placed('trams', 'elm', p_kind => 'shared', p_by => 'jonas'), tests.placed('bikes', 'elm'), tests.placed('cars', 'elm', p_kind => 'shared', p_by => 'jonas');

select tests.act_as('maya');
select is(
  app.hub_reasons(tests.id('elm'), array[tests.entry('trams'), tests.entry('bikes', p_kind => null), tests.entry('cars')]),
  array['shared_to_hub', 'joined_hub_post', 'shared_to_hub'], 'a target is joined_hub_post and an onward share shared_to_hub, in the order of the entries'
);
select is(app.hub_reasons(tests.id('elm'), '{}'), '{}', 'no entries have no reasons');
reset role;
select set_eq($$ select tests.who_may('select app.hub_reasons(null, ''{}'')') $$, array['authenticated'], 'only members ask');

select * from finish();
