select plan(4);

select tests.person('maya', 3);
select tests.person('jonas', 3);
select tests.asset('picture', 'maya');
select tests.asset('paper', 'maya', 'document');
select tests.illustrated_post('trams', 'maya', 'paper');
update app.article_assets set place = 7;
select tests.illustrate('article of trams', 'picture');
select tests.act_as_guest();
select is(
  app.article_media(tests.id('article of trams')),
  jsonb_build_array(
    jsonb_build_object(
      'assetId', tests.id('picture'), 'purpose', 'post_image', 'contentType', 'image/png', 'width', 640, 'height', 480, 'blurhash', 'blur of picture'
    ),
    jsonb_build_object(
      'assetId', tests.id('paper'), 'purpose', 'document', 'contentType', 'application/pdf', 'width', null, 'height', null, 'blurhash', null
    )
  ),
  'in their order, without where they lie and whose they are'
);
select is(app.article_media(tests.id('nothing')), '[]', 'of no article, none');
reset role;
select tests.block('maya', 'jonas');
select tests.act_as('jonas');
select is(app.article_media(tests.id('article of trams')), '[]', 'nor of one that the caller does not see');
select tests.act_as('maya');
select is(jsonb_array_length(app.article_media(tests.id('article of trams'))), 2, 'but all for its author');

select * from finish();
