select plan(18);

select tests.elm();
select tests.person('two', 2);
select tests.person('three', 3);
select tests.hub('ash', 'lena');
select tests.post('trams', 'lena');
select tests.repost('again', 'jonas', 'trams');
select tests.discussion('locked', 'jonas', 'elm');
update app.posts set is_shareable = false where id = tests.id('locked');
select tests.discussion('for two', 'jonas', 'elm');
select tests.placed('for two', 'ash');
select tests.post('hidden', 'lena', 'private_locked_hub');

create function pg_temp.args(p_post text, p_visibility text default 'public', variadic p_hubs text[] default '{}')
returns jsonb
language sql
return tests.arguments(p_post)
  || jsonb_build_object('thoughtText', 'Mine', 'visibility', p_visibility, 'hubIds', to_jsonb(tests.ids(variadic p_hubs)));

create function pg_temp.refusal(p_caller text, p_args jsonb)
returns text
language sql
return tests.refusal_of(p_caller, format('select api.create_repost(%L)', p_args));

select is(pg_temp.refusal(null, pg_temp.args('trams')), '42501', 'guests repost nothing');
select is(pg_temp.refusal('two', pg_temp.args('trams')), 'PT403 FORBIDDEN', 'nor who has no phone');
select is(pg_temp.refusal('three', pg_temp.args('trams')), null, 'a phone-confirmed person reposts');
select is(pg_temp.refusal('three', pg_temp.args('trams', 'public_hub', 'elm')), 'PT403 FORBIDDEN', 'not into Hubs');
select is(pg_temp.refusal('jonas', pg_temp.args('trams', 'public_hub', 'elm')), null, 'as members do');
select is(pg_temp.refusal('jonas', pg_temp.args('trams', 'public_hub', 'ash')), 'PT403 FORBIDDEN', 'of those Hubs');
select is(pg_temp.refusal('jonas', pg_temp.args('trams', 'public_hub')), 'PT422 VALIDATION_FAILED', 'a Hub repost without hubIds is refused');
select is(pg_temp.refusal('jonas', pg_temp.args('unknown')), 'PT404 POST_NOT_FOUND', 'what is not there is not reposted');
select is(pg_temp.refusal('jonas', pg_temp.args('hidden')), 'PT404 POST_NOT_FOUND', 'nor what is hidden');
select is(pg_temp.refusal('maya', pg_temp.args('again')), 'PT409 REPOST_NOT_ALLOWED', 'nor a repost');
select is(pg_temp.refusal('maya', pg_temp.args('locked')), 'PT409 REPOST_NOT_ALLOWED', 'nor what is for one Hub');
select is(pg_temp.refusal('jonas', pg_temp.args('locked')), 'PT409 REPOST_NOT_ALLOWED', 'by its author either');
select is(pg_temp.refusal('maya', pg_temp.args('for two')), null, 'what is for two is');
update app.users set contacts_synced_at = null where id = tests.id('maya');
select is(pg_temp.refusal('maya', pg_temp.args('for two')), 'PT403 FORBIDDEN', 'by the Hub-ready');
select is(pg_temp.refusal('maya', pg_temp.args('trams')), null, 'what is public by others too');
select tests.act_as('amara');
create temporary table answers as
select api.create_repost(pg_temp.args('trams') || jsonb_build_object('sliderText', 'More?', 'article', jsonb_build_object('title', 'Mine'))) as answer;
select is(answer - 'permissions', (select card from app.post_cards(array[(answer ->> 'id')::uuid])), 'it answers the detail') from answers;
select results_eq(
  $$ select p.author_id, p.source_post_id, p.article_id, p.thought_text, p.slider_text from answers join app.posts as p on p.id = (answer ->> 'id')::uuid $$,
  $$ select tests.id('amara') as author, tests.id('trams') as source, null::uuid, 'Mine', 'More?' $$, 'of a frame of one''s own, without an article'
);
select is(answer -> 'permissions' -> 'canRepost', 'false', 'which is reposted no further') from answers;

select * from finish();
