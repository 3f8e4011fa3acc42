select plan(6);

select tests.elm();
select tests.slider('trams', 'lena');
select tests.repost('again', 'lena', 'trams');
select tests.placed('trams', 'elm');
select tests.vote('jonas', 'trams', 'right'), tests.vote('lena', 'trams', 'left');
create function pg_temp.scopes(p_cards jsonb)
returns text
language sql
return (select string_agg(concat_ws(' ', coalesce(card #>> '{voteScope,hubId}', 'everybody'), card #>> '{voteSummary,totalVotes}'), ', ') from jsonb_array_elements(p_cards) as card);

select tests.act_as('maya');
select is(pg_temp.scopes(jsonb_build_array(api.get_post(tests.arguments('trams')))), 'everybody 2', 'a post shows the votes of everybody');
select is(pg_temp.scopes(jsonb_build_array(api.get_post(tests.arguments('trams') || tests.in_hub('elm')))), tests.id('elm') || ' 1', 'or of the Hub that is asked for');
select is(pg_temp.scopes(api.list_frames(tests.arguments('trams')) -> 'items'), 'everybody 2, everybody', 'and so do its frames');
select is(pg_temp.scopes(api.list_frames(tests.arguments('trams') || tests.in_hub('elm')) -> 'items'), tests.id('elm') || ' 1, everybody', 'those of them that have votes');
select is(pg_temp.scopes(api.get_hub_feed(tests.in_hub('elm')) -> 'items'), tests.id('elm') || ' 1', 'the feed of a Hub shows its own');
select is(pg_temp.scopes(api.get_home_feed(tests.in_hub('elm')) -> 'items'), tests.id('elm') || ' 1', 'wherever it is asked for');

select * from finish();
