select plan(4);

select tests.elm();
select tests.discussion('trams', 'jonas', 'elm');
create temporary table args as select tests.in_discussion('trams in elm', '{"text": "Hello"}') as args;

select is(
  tests.refusals('create_message', args), tests.below_level_4() || '{"lena": "DISCUSSION_NOT_FOUND"}', 'an outsider says nothing'
)
from args;
select is(tests.refusals('create_message', args || tests.in_hub('ash')), tests.everybody('HUB_NOT_FOUND'), 'in no Hub is anything said') from args;
select is(
  tests.refusals('create_message', args || jsonb_build_object('discussionId', tests.id('unknown'))), tests.everybody('DISCUSSION_NOT_FOUND'), 'nor where there is no discussion'
)
from args;
select is_empty('select from app.messages', 'and nothing is kept');

select * from finish();
