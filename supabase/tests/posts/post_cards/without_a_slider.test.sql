select plan(1);

select tests.person('maya', 3);
select tests.post('no slider', 'maya');
select tests.act_as_guest();
select results_eq(
  $$
    select key, value from app.post_cards(array[tests.id('no slider')]), jsonb_each(card)
    where key in ('sliderText', 'slider', 'viewerVote', 'voteScope', 'voteSummary', 'voteDistribution')
    order by key
  $$,
  $$ values ('slider', 'null'::jsonb), ('sliderText', 'null'), ('viewerVote', 'null'), ('voteScope', 'null'), ('voteSummary', 'null') $$,
  'the vote fields of a card without a slider are null'
);

select * from finish();
