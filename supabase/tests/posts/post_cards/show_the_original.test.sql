select plan(12);

select tests.elm();
select tests.asset('picture', 'lena');
select tests.illustrated_post('trams', 'lena', 'picture');
update app.articles set title = 'About trams';
select tests.repost('again', 'jonas', 'trams');
select tests.discussion('locked', 'amara', 'elm');
select tests.repost('of locked', 'jonas', 'locked');
select tests.slider('bikes', 'lena');
select tests.repost('of bikes', 'jonas', 'bikes');

create function pg_temp.card(p_name text)
returns jsonb
language sql
return (select card from app.post_cards(tests.ids(p_name)));

select tests.act_as('maya');
select is(pg_temp.card('again') -> 'article', 'null', 'a repost has no article');
select is(pg_temp.card('again') -> 'sourcePostId', to_jsonb(tests.id('trams')), 'but an original');
select is(
  pg_temp.card('again') -> 'sourcePost',
  jsonb_build_object(
    'article', pg_temp.card('trams') -> 'article', 'thoughtText', null, 'sliderText', null, 'slider', null, 'isShareable', true
  ),
  'with its article'
);
select is(pg_temp.card('again') #> '{sourcePost,article,media,0,assetId}', to_jsonb(tests.id('picture')), 'and media');
select is(pg_temp.card('of bikes') #> '{sourcePost,sliderText}', '"bikes"', 'or its slider');
select is(
  jsonb_build_array(pg_temp.card('of bikes') -> 'sliderText', pg_temp.card('of bikes') -> 'viewerVote'), '[null, null]', 'which is not its own'
);
select is(pg_temp.card('trams') -> 'sourcePost', 'null', 'an original has none');
select is(pg_temp.card('trams') -> 'sourcePostId', 'null', 'at all');
select is(pg_temp.card('of locked') #> '{sourcePost,thoughtText}', '"locked"', 'a private one is for those who see it');
select tests.act_as('lena');
select is(pg_temp.card('of locked') -> 'sourcePost', 'null', 'and for nobody else');
select is(pg_temp.card('of locked') -> 'sourcePostId', to_jsonb(tests.id('locked')), 'which it is, they know');
reset role;
delete from app.posts where id = tests.id('trams');
select tests.act_as('maya');
select is(
  jsonb_build_array(pg_temp.card('again') -> 'sourcePostId', pg_temp.card('again') -> 'sourcePost'), jsonb_build_array(tests.id('trams'), null),
  'as they do when it is gone'
);

select * from finish();
