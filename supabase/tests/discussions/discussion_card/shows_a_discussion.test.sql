select plan(2);

select tests.elm();
select tests.discussion('trams', 'jonas', 'elm', app.now() - interval '1 day');
update app.discussions set message_count = 7;
select tests.discussion('bikes', 'jonas', 'elm');
insert into app.saved_discussions (user_id, discussion_id)
values (tests.id('jonas'), tests.id('trams in elm')), (tests.id('maya'), tests.id('bikes in elm'));

create function pg_temp.card()
returns jsonb
language sql
as $$ select app.listed_discussions(tests.id('elm'), array[(null, tests.id('trams in elm'))::app.list_entry]) -> 0 $$;

select tests.act_as('maya');
select is(
  pg_temp.card(),
  jsonb_build_object(
    'id', tests.id('trams in elm'), 'hubId', tests.id('elm'), 'postId', tests.id('trams'),
    'preview', jsonb_build_object(
      'thoughtText', 'trams', 'sliderText', null, 'articleTitle', null, 'author', tests.author('elm', 'jonas')
    ),
    'messageCount', 7, 'lastActivityAt', app.iso(app.now() - interval '1 day'), 'viewerSaved', false
  ),
  'with what it is about and by whom'
);
select tests.act_as('jonas');
select is(pg_temp.card() -> 'viewerSaved', 'true', 'and whether the viewer has saved it');

select * from finish();
