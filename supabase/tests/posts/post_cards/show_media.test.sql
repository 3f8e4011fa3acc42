select plan(4);

select tests.person('maya', 3);
select tests.asset('picture', 'maya');
select tests.asset('paper', 'maya', 'document');
select tests.act_as('maya');
create temporary table answers as
select api.create_post(jsonb_build_object(
  'visibility', 'public', 'article', jsonb_build_object('assetIds', jsonb_build_array(tests.id('paper'), tests.id('picture')))
)) as post;
select is(
  post #> '{article,media,0,assetId}', to_jsonb(tests.id('paper')), 'media may be all that an article has; they are in their order'
)
from answers;
select tests.act_as_guest();
select is(
  c.card #> '{article,media,1,assetId}', to_jsonb(tests.id('picture')), 'others see them on the card'
)
from app.post_cards(array(select p.id from app.posts as p)) as c;
select tests.act_as('maya');
select is(
  api.create_post('{"visibility": "public", "article": {"title": "Trams"}}') #> '{article,media}', '[]', 'an article without any has none'
);
select is(
  tests.error_of($$ select api.create_post('{"visibility": "public", "article": {"assetIds": []}}') $$) ->> 'state', '23514', 'none are no article'
);

select * from finish();
