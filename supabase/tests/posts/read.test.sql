begin;
select plan(143);
savepoint empty;

-- article_media: are as they are shown
select tests.person('maya', 3);
select tests.person('jonas', 3);
select tests.asset('picture', 'maya');
select tests.asset('paper', 'maya', 'document');
select tests.illustrated_post('trams', 'maya', 'paper');
update app.article_assets set place = 7;
select tests.illustrate('article of trams', 'picture');
select tests.authenticate_as_guest();
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
select tests.authenticate_as('jonas');
select is(app.article_media(tests.id('article of trams')), '[]', 'nor of one that the caller does not see');
select tests.authenticate_as('maya');
select is(jsonb_array_length(app.article_media(tests.id('article of trams'))), 2, 'but all for its author');

rollback to empty;

-- author_phone: is for members of the one hub
select tests.elm();
select tests.discussion('locked', 'jonas', 'elm');
update app.posts set is_shareable = false where id = tests.id('locked');
select tests.discussion('for two', 'jonas', 'elm');
select tests.discussion('of lena', 'lena', 'elm');
update app.posts set is_shareable = false where id = tests.id('of lena');

create function pg_temp.phone(p_caller text, p_post text default 'locked')
returns jsonb
language plpgsql
as $$
declare
  v_phone jsonb;
begin
  if p_caller is null then
    perform tests.authenticate_as_guest();
  else
    perform tests.authenticate_as(p_caller);
  end if;
  v_phone := app.author_phone(tests.id(p_post));
  if p_caller is not null and exists (select from app.posts as p where p.id = tests.id(p_post))
    and (select card from app.post_cards(tests.ids(p_post))) -> 'authorPhoneNumber' is distinct from v_phone -> 'authorPhoneNumber' then
    raise exception 'the card says otherwise';
  end if;
  perform set_config('role', 'none', true);
  return v_phone;
end
$$;

select is(pg_temp.phone('maya'), jsonb_build_object('authorPhoneNumber', tests.phone_of('jonas')), 'members read it');
select is(pg_temp.phone('jonas'), jsonb_build_object('authorPhoneNumber', tests.phone_of('jonas')), 'as does the author');
select is(pg_temp.phone('lena'), '{}', 'outsiders do not');
select is(pg_temp.phone(null), '{}', 'or guests');
select is(pg_temp.phone('maya', 'for two'), '{}', 'of what can be shared it is never there');
select is(pg_temp.phone('maya', 'of lena'), '{}', 'nor of an author who is no member');
select is(pg_temp.phone('maya', 'unknown'), '{}', 'nor of nothing');
select tests.hub('ash', 'lena');
select tests.membership('ash', 'jonas');
select is(pg_temp.phone('lena'), '{}', 'that they meet elsewhere is nothing');
delete from app.memberships where user_id = tests.id('maya');
select is(pg_temp.phone('maya'), '{}', 'who has left reads it no more');
select is(pg_temp.phone('amara'), jsonb_build_object('authorPhoneNumber', tests.phone_of('jonas')), 'who stays does');
update app.users set phone = null, phone_verified_at = null where id = tests.id('jonas');
select is(pg_temp.phone('amara'), '{}', 'if there is one');
delete from app.memberships where user_id = tests.id('jonas') and hub_id = tests.id('elm');
update app.users set phone = tests.phone_of('jonas'), phone_verified_at = app.now() where id = tests.id('jonas');
select is(pg_temp.phone('amara'), '{}', 'of an author who has left there is none');

rollback to empty;

-- get_post: shows votes of a hub
select tests.elm();
select tests.slider('trams', 'lena');
select tests.repost('again', 'lena', 'trams');
select tests.placed('trams', 'elm');
select tests.vote('jonas', 'trams', 'right'), tests.vote('lena', 'trams', 'left');
create function pg_temp.scopes(p_cards jsonb)
returns text
language sql
return (select string_agg(concat_ws(' ', coalesce(card #>> '{voteScope,hubId}', 'everybody'), card #>> '{voteSummary,totalVotes}'), ', ') from jsonb_array_elements(p_cards) as card);

select tests.authenticate_as('maya');
select is(pg_temp.scopes(jsonb_build_array(api.get_post(tests.arguments('trams')))), 'everybody 2', 'a post shows the votes of everybody');
select is(pg_temp.scopes(jsonb_build_array(api.get_post(tests.arguments('trams') || tests.in_hub('elm')))), tests.id('elm') || ' 1', 'or of the Hub that is asked for');
select is(pg_temp.scopes(api.list_frames(tests.arguments('trams')) -> 'items'), 'everybody 2, everybody', 'and so do its frames');
select is(pg_temp.scopes(api.list_frames(tests.arguments('trams') || tests.in_hub('elm')) -> 'items'), tests.id('elm') || ' 1, everybody', 'those of them that have votes');
select is(pg_temp.scopes(api.get_hub_feed(tests.in_hub('elm')) -> 'items'), tests.id('elm') || ' 1', 'the feed of a Hub shows its own');
select is(pg_temp.scopes(api.get_home_feed(tests.in_hub('elm')) -> 'items'), tests.id('elm') || ' 1', 'wherever it is asked for');

rollback to empty;

-- get_post: shows what the viewer may see
select tests.person('maya', 4);
select tests.person('jonas', 4);
select tests.post('public', 'maya', 'public');
select tests.post('locked', 'maya', 'private_locked_hub');

select tests.authenticate_as_guest();
select is(api.get_post(tests.arguments('public')) ->> 'thoughtText', 'public', 'a guest reads a public post');
select throws_ok($$ select api.get_post(tests.arguments('locked')) $$, 'PT404', 'POST_NOT_FOUND', 'and of a locked one not even that it exists');
select tests.authenticate_as('jonas');
select throws_ok($$ select api.get_post(tests.arguments('locked')) $$, 'PT404', 'POST_NOT_FOUND', 'nor does a member who is not in its Hub');
select tests.authenticate_as('jonas');
select throws_ok($$ select api.get_post(tests.arguments('unknown')) $$, 'PT404', 'POST_NOT_FOUND', 'just as of a post that never was');

rollback to empty;

-- get_share_link: is of what can be shared
select tests.elm();
select tests.person('anonymous', 1);
select tests.person('two', 2);
select tests.post('trams', 'lena');
select tests.post('hidden', 'lena', 'private_locked_hub');
select tests.discussion('locked', 'jonas', 'elm');
update app.posts set is_shareable = false where visibility = 'private_locked_hub';

create function pg_temp.refusal(p_caller text, p_post text)
returns text
language sql
return tests.refusal_of(p_caller, format('select api.get_share_link(%L)', tests.arguments(p_post)));

select is(pg_temp.refusal(null, 'trams'), '42501', 'guests get none');
select is(pg_temp.refusal('anonymous', 'trams'), 'PT403 FORBIDDEN', 'nor do the anonymous');
select is(pg_temp.refusal('maya', 'hidden'), 'PT404 POST_NOT_FOUND', 'of what is hidden there is none');
select is(pg_temp.refusal('maya', 'unknown'), 'PT404 POST_NOT_FOUND', 'as of what never was');
select is(pg_temp.refusal('maya', 'locked'), 'PT409 POST_NOT_SHAREABLE', 'nor of what is for one Hub');
select is(pg_temp.refusal('jonas', 'locked'), 'PT409 POST_NOT_SHAREABLE', 'for its author either');
select tests.authenticate_as('two');
select is(api.get_share_link(tests.arguments('trams')), tests.arguments('trams'), 'else it is of the post');

rollback to empty;

-- list_frames: are the lineage
select tests.elm();
select tests.post('trams', 'lena');
select tests.repost('second', 'jonas', 'trams');
select tests.repost('first', 'maya', 'trams', 'public_hub');
select tests.repost('locked', 'amara', 'trams', 'private_locked_hub');
select tests.placed('locked', 'elm');
select tests.post('other', 'lena');
select tests.repost('of another', 'jonas', 'other');
update app.posts as p set created_at = app.now() - at
from (values ('trams', interval '4 hours'), ('first', '3 hours'), ('second', '2 hours'), ('locked', '1 hour')) as made (name, at)
where p.id = tests.id(made.name);

create function pg_temp.frames(p_post text, p_args jsonb default '{}')
returns uuid[]
language sql
return tests.listed(api.list_frames(tests.arguments(p_post) || p_args));

select tests.authenticate_as_guest();
select is(pg_temp.frames('trams'), tests.ids('trams', 'first', 'second'), 'the original, then its reposts, oldest first');
select is(pg_temp.frames('second'), tests.ids('trams', 'first', 'second'), 'from whichever one begins');
select is(tests.refusal('list_frames', tests.arguments('locked')), 'POST_NOT_FOUND', 'unless that is hidden');
select is(tests.refusal('list_frames', tests.arguments('unknown')), 'POST_NOT_FOUND', 'or none');
select is(tests.refusal('list_frames', tests.arguments('trams') || '{"cursor": "?"}'), 'VALIDATION_FAILED', 'it follows no foreign cursor');
select is(tests.refusal('list_frames', tests.arguments('trams') || '{"limit": 51}'), 'VALIDATION_FAILED', 'or has more than 50 on a page');
select tests.authenticate_as('maya');
select is(pg_temp.frames('trams'), tests.ids('trams', 'first', 'second', 'locked'), 'to each those that they see');
select is(
  (api.list_frames(tests.arguments('trams')) #> '{items,1}'), (select card from app.post_cards(tests.ids('first'))), 'each by its card'
);
select is(tests.listed_in_parts('list_frames', tests.arguments('trams')), pg_temp.frames('trams'), 'all of them, or one after the other');
reset role;
update app.posts set visibility = 'private_locked_hub' where id = tests.id('trams');
select tests.authenticate_as('maya');
select is(pg_temp.frames('first'), tests.ids('first', 'second', 'locked'), 'an original that is hidden is not among them');
select is(tests.listed_in_parts('list_frames', tests.arguments('first')), pg_temp.frames('first'), 'in parts neither');
reset role;
delete from app.posts where id = tests.id('trams');
select tests.authenticate_as('maya');
select is(pg_temp.frames('first'), tests.ids('first', 'second', 'locked'), 'without it reposts stay together');
select is(pg_temp.frames('of another'), tests.ids('other', 'of another'), 'and apart from those of others');

rollback to empty;

-- list_frames: pages through one moment
select tests.person('maya');
select tests.post('trams', 'maya');
select tests.repost(n::text, 'maya', 'trams') from generate_series(1, 21) as n;
select tests.without_indexes();
select tests.authenticate_as_guest();
select is(
  tests.listed(api.list_frames(tests.arguments('trams') || '{"limit": 50}')), array(select p.id from app.posts as p order by p.id), 'in the order of their ids'
);
select is(cardinality(tests.listed(api.list_frames(tests.arguments('trams')))), 20, 'twenty on a page');
select is(
  tests.listed(api.list_frames(tests.arguments('trams') || jsonb_build_object('cursor', api.list_frames(tests.arguments('trams')) -> 'nextCursor'))),
  (array(select p.id from app.posts as p order by p.id))[21:], 'the next goes on, wherever the original is'
);

rollback to empty;

-- posts_json: keep their order
select tests.person('maya');
select tests.post(name, 'maya') from unnest(array['a', 'b', 'c']) as name;
select tests.post('hidden', 'maya', 'private_locked_hub');
create function pg_temp.listed(variadic p_names text[])
returns jsonb
language sql
return app.posts_json(array(select id from unnest(tests.ids(variadic p_names)) as id));

select tests.authenticate_as_guest();
select is(
  pg_temp.listed('c', 'a', 'hidden', 'b'),
  (select jsonb_agg(card order by post_id = tests.id('b'), post_id = tests.id('a')) from app.post_cards(tests.ids('a', 'b', 'c'))), 'cards of those one sees'
);
select is(tests.listed(jsonb_build_object('items', pg_temp.listed('b', 'c', 'a'))), tests.ids('b', 'c', 'a'), 'whatever that is');
select is(app.posts_json('{}'), '[]', 'none are none');

rollback to empty;

-- may_place: is ones own or shareable
select tests.elm();
select tests.post('his', 'jonas', 'private_locked_hub');
select tests.post('hers', 'lena');
select tests.post('hidden', 'lena', 'private_locked_hub');
select tests.post('locked', 'maya', 'private_locked_hub');
select tests.placed('locked', 'elm');
update app.posts set is_shareable = false where thought_text in ('his', 'locked');

select tests.authenticate_as('jonas');
select ok(app.may_place(tests.id('his'), 'targeted'), 'one targets with one''s own');
select ok(not app.may_place(tests.id('his'), 'shared'), 'and shares it where it can be shared');
select ok(not app.may_place(tests.id('hers'), 'targeted'), 'with those of others nobody targets');
select ok(app.may_place(tests.id('hers'), 'shared'), 'those are shared');
select ok(not app.may_place(tests.id('locked'), 'shared'), 'if they are not for one Hub alone');
select ok(not app.may_place(tests.id('hidden'), 'shared'), 'or hidden');
select ok(not app.may_place(tests.id('unknown'), 'shared'), 'or unknown');
select ok(not app.may_place(tests.id('unknown'), 'targeted'), 'either way');
reset role;
select tests.placed('his', 'elm');
select tests.authenticate_as('jonas');
select ok(not app.may_place(tests.id('his'), 'targeted'), 'later one targets no more');
select ok(app.may_place(tests.id('hers'), 'shared'), 'while anything is shared at any time');
reset role;
select tests.block('lena', 'jonas');
select tests.authenticate_as('jonas');
select ok(not app.may_place(tests.id('hers'), 'shared'), 'nor across a block');
reset role;
select set_eq($$ select tests.who_may('select app.may_place(null, null)') $$, array['authenticated'], 'the policy asks for members');
delete from app.blocks;
select app.end_user(tests.id('lena'));
select tests.authenticate_as('jonas');
select ok(not app.may_place(tests.id('hers'), 'shared'), 'nor is what an ended account wrote');

rollback to empty;

-- may_repost: is a shareable original
select tests.elm();
select tests.post('trams', 'lena');
select tests.repost('again', 'jonas', 'trams');
select tests.discussion('locked', 'jonas', 'elm');
update app.posts set is_shareable = false where id = tests.id('locked');
select tests.discussion('for two', 'jonas', 'elm');
select tests.authenticate_as('maya');
select ok(app.may_repost(tests.id('trams')), 'an original');
select ok(app.may_repost(tests.id('for two')), 'private or not');
select ok(not app.may_repost(tests.id('again')), 'no repost');
select ok(not app.may_repost(tests.id('locked')), 'nothing that is for one Hub');
select ok(not app.may_repost(tests.id('unknown')), 'nothing unknown');
select tests.authenticate_as('lena');
select ok(not app.may_repost(tests.id('for two')), 'or hidden');
reset role;
select set_eq($$ select tests.who_may('select app.may_repost(null)') $$, array['anon', 'authenticated'], 'details ask for everybody');

rollback to empty;

-- post_cards: are of visible posts
select tests.person('maya', 4);
select tests.post('public', 'maya', 'public');
select tests.post('locked', 'maya', 'private_locked_hub');
select tests.authenticate_as_guest();
select results_eq(
  $$ select post_id from app.post_cards(array[tests.id('locked'), tests.id('public'), tests.id('unknown')]) $$,
  array[tests.id('public')],
  'a hidden post has no card, just as an unknown one'
);
select is_empty('select from app.post_cards(null)', 'no posts have no cards');

reset role;
delete from app.profiles;
select tests.authenticate_as_guest();
select is(c.card -> 'author', app.user_lite(null), 'one whose author has no profile has one') from app.post_cards(tests.ids('public')) as c;

rollback to empty;

-- post_cards: count what was done
select tests.elm();
select tests.post('trams', 'lena');
select tests.repost('again', 'jonas', 'trams');
select tests.comment('hello', 'jonas', 'trams');
select tests.comment('reply', 'lena', 'trams', 'hello');
insert into app.saved_posts (user_id, post_id) values (tests.id('maya'), tests.id('trams')), (tests.id('jonas'), tests.id('again'));

create function pg_temp.card(p_name text)
returns jsonb
language sql
return (select card from app.post_cards(tests.ids(p_name)));

select tests.authenticate_as('maya');
select is(pg_temp.card('trams') -> 'commentCount', '2', 'comments and replies');
select is(pg_temp.card('trams') -> 'repostCount', '1', 'and reposts');
select is(pg_temp.card('trams') -> 'viewerSaved', 'true', 'whoever saved it sees that');
select is(pg_temp.card('again') -> 'viewerSaved', 'false', 'and not that others did');
select tests.authenticate_as_guest();
select is(pg_temp.card('trams') -> 'viewerSaved', 'false', 'guests have saved none');

rollback to empty;

-- post_cards: name the viewers hubs
select tests.elm();
select tests.hub(name, 'jonas') from unnest(array['ash', 'oak', 'fir']) as name;
select tests.post('trams', 'jonas', 'public_hub');
select tests.placed('trams', 'ash', app.now() - interval '1 day');
select tests.placed('trams', name) from unnest(array['elm', 'oak']) as name;
select tests.placed('trams', 'fir', app.now(), 'shared');
select tests.post('bikes', 'jonas', 'public_hub');
select tests.placed('bikes', 'elm');
select tests.without_indexes();

create function pg_temp.hubs()
returns jsonb
language sql
return (select card -> 'hubs' from app.post_cards(tests.ids('trams')));

create function pg_temp.expected(variadic p_names text[])
returns jsonb
language sql
return (select jsonb_agg(jsonb_build_object('id', tests.id(name), 'name', name) order by name <> 'ash', tests.id(name)) from unnest(p_names) as name);

select tests.authenticate_as('jonas');
select is(pg_temp.hubs(), pg_temp.expected('ash', 'elm', 'oak', 'fir'), 'in the order of placing, then of their ids; shared or targeted');
select tests.authenticate_as('maya');
select is(pg_temp.hubs(), pg_temp.expected('elm'), 'those that one is in');
select tests.authenticate_as('lena');
select is(pg_temp.hubs(), '[]', 'which may be none');
select tests.authenticate_as_guest();
select is(pg_temp.hubs(), '[]', 'and is for guests');

rollback to empty;

-- post_cards: say whether they may be shared
select tests.elm();
select tests.post('trams', 'jonas', 'private_locked_hub');
select tests.placed('trams', 'elm');
select tests.post('bikes', 'jonas', 'public');
update app.posts set is_shareable = false where id = tests.id('trams');

create function pg_temp.card(p_name text)
returns jsonb
language sql
return (select card from app.post_cards(tests.ids(p_name)));

select tests.authenticate_as('maya');
select is(pg_temp.card('trams') -> 'isShareable', 'false', 'or not');
select is(pg_temp.card('bikes') -> 'isShareable', 'true', 'by what the author chose');

rollback to empty;

-- post_cards: show media
select tests.person('maya', 3);
select tests.asset('picture', 'maya');
select tests.asset('paper', 'maya', 'document');
select tests.authenticate_as('maya');
create temporary table answers as
select api.create_post(jsonb_build_object(
  'visibility', 'public', 'article', jsonb_build_object('assetIds', jsonb_build_array(tests.id('paper'), tests.id('picture')))
)) as post;
select is(
  post #> '{article,media,0,assetId}', to_jsonb(tests.id('paper')), 'media may be all that an article has; they are in their order'
)
from answers;
select tests.authenticate_as_guest();
select is(
  c.card #> '{article,media,1,assetId}', to_jsonb(tests.id('picture')), 'others see them on the card'
)
from app.post_cards(array(select p.id from app.posts as p)) as c;
select tests.authenticate_as('maya');
select is(
  api.create_post('{"visibility": "public", "article": {"title": "Trams"}}') #> '{article,media}', '[]', 'an article without any has none'
);
select is(
  tests.error_of($$ select api.create_post('{"visibility": "public", "article": {"assetIds": []}}') $$) ->> 'state', '23514', 'none are no article'
);

rollback to empty;

-- post_cards: show the original
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

select tests.authenticate_as('maya');
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
select tests.authenticate_as('lena');
select is(pg_temp.card('of locked') -> 'sourcePost', 'null', 'and for nobody else');
select is(pg_temp.card('of locked') -> 'sourcePostId', to_jsonb(tests.id('locked')), 'which it is, they know');
reset role;
delete from app.posts where id = tests.id('trams');
select tests.authenticate_as('maya');
select is(
  jsonb_build_array(pg_temp.card('again') -> 'sourcePostId', pg_temp.card('again') -> 'sourcePost'), jsonb_build_array(tests.id('trams'), null),
  'as they do when it is gone'
);

rollback to empty;

-- post_cards: show the viewers vote
select tests.person('maya', 3);
select tests.person('jonas', 3);
select tests.slider('trams', 'maya');
select tests.vote('jonas', 'trams', 'strong_left');
select tests.slider('bikes', 'maya');
select tests.vote('maya', 'bikes', 'neutral');

create function pg_temp.card()
returns jsonb
language sql
return (select card from app.post_cards(array[tests.id('trams')]));

select tests.authenticate_as('jonas');
select is(
  pg_temp.card() -> 'viewerVote', jsonb_build_object('hasVoted', true, 'votedAt', app.iso(date_trunc('minute', app.now()))),
  'who voted sees that they did, to the minute'
);
select is(jsonb_array_length(pg_temp.card() -> 'voteDistribution'), 5, 'and the five positions');
select is(pg_temp.card() #> '{voteSummary,totalVotes}', '1', 'and how many there are of it');
select tests.authenticate_as('maya');
select is(pg_temp.card() -> 'viewerVote', '{"hasVoted": false, "votedAt": null}', 'who did not sees nobody''s vote');
select ok(not pg_temp.card() ? 'voteDistribution', 'and the three buckets alone');

rollback to empty;

-- post_cards: show votes of a scope
select tests.elm();
select tests.hub('oak', 'jonas');
select tests.slider('trams', 'lena');
select tests.slider('locked', 'lena', 'private_locked_hub');
select tests.post('no slider', 'lena', 'private_locked_hub');
select tests.placed('trams', 'elm'), tests.placed('no slider', 'elm');
select tests.placed('locked', 'elm', app.now() - interval '1 hour'), tests.placed('locked', 'oak');
select tests.vote('jonas', 'trams', 'right'), tests.vote('lena', 'trams', 'left'), tests.vote('maya', 'locked', 'neutral'), tests.vote('jonas', 'locked', 'left');

create function pg_temp.votes(p_post text, p_hub text default null)
returns text
language sql
as $$
  select format(
    '%s %s%s', coalesce((select h.name from app.hubs as h where h.id = (c.card #>> '{voteScope,hubId}')::uuid), c.card #>> '{voteScope,type}'),
    c.card #>> '{voteSummary,totalVotes}', ' of which left ' || (c.card #>> '{voteDistribution,1,count}')
  )
  from app.post_cards(tests.ids(p_post), tests.id(p_hub)) as c
$$;

select tests.authenticate_as('jonas');
select is(pg_temp.votes('trams'), 'global 2 of which left 1', 'those of everybody on a public post');
select is(pg_temp.votes('trams', 'elm'), 'elm 1 of which left 0', 'or of the Hub whose are asked for');
select is(pg_temp.votes('trams', 'oak'), 'oak 0', 'in which it need not be');
select is(pg_temp.votes('locked'), 'elm 2 of which left 1', 'on a private post those of the first of the viewer''s Hubs');
select is(pg_temp.votes('locked', 'oak'), 'oak 1 of which left 1', 'or of that asked for');
select is((select card -> 'voteScope' from app.post_cards(tests.ids('no slider'), tests.id('elm'))), 'null', 'none without a slider');
select tests.authenticate_as('maya');
select is(pg_temp.votes('locked', 'oak'), 'oak 0', 'of a Hub that is not theirs nobody sees any');
select tests.authenticate_as('lena');
select is(pg_temp.votes('locked'), 'global 0', 'an author who is in none of them sees none');
select tests.authenticate_as_guest();
select is(pg_temp.votes('trams'), 'global 2', 'a guest those of everybody');

rollback to empty;

-- post_cards: without a slider
select tests.person('maya', 3);
select tests.post('no slider', 'maya');
select tests.authenticate_as_guest();
select results_eq(
  $$
    select key, value from app.post_cards(array[tests.id('no slider')]), jsonb_each(card)
    where key in ('sliderText', 'slider', 'viewerVote', 'voteScope', 'voteSummary', 'voteDistribution')
    order by key
  $$,
  $$ values ('slider', 'null'::jsonb), ('sliderText', 'null'), ('viewerVote', 'null'), ('voteScope', 'null'), ('voteSummary', 'null') $$,
  'the vote fields of a card without a slider are null'
);

rollback to empty;

-- post_detail: permits a vote once
select tests.person('maya', 3);
select tests.slider('trams', 'maya');
select tests.post('no slider', 'maya');
select tests.authenticate_as('maya');
select is(api.get_post(tests.arguments('trams')) -> 'permissions' -> 'canVote', 'true', 'before a vote');
select is(api.get_post(tests.arguments('no slider')) -> 'permissions' -> 'canVote', 'false', 'never without a slider');
reset role;
select tests.vote('maya', 'trams', 'left');
select tests.authenticate_as('maya');
select is(api.get_post(tests.arguments('trams')) -> 'permissions' -> 'canVote', 'false', 'and not after it');

rollback to empty;

-- post_detail: permits by level
select tests.person('author', 3);
select tests.person('one', 1);
select tests.person('two', 2);
select tests.person('four', 4);
select tests.slider('trams', 'author');

create function pg_temp.permissions()
returns text[]
language sql
return array(
  select permission.key
  from jsonb_each(api.get_post(tests.arguments('trams')) -> 'permissions') as permission
  where permission.value = 'true'
  order by permission.key
);

select tests.authenticate_as_guest();
select is(pg_temp.permissions(), '{}', 'a guest may read');
select is_empty(
  $$ select key from jsonb_each(api.get_post(tests.arguments('trams')) -> 'permissions') where value <> 'false' $$, 'all else they may not'
);
select tests.authenticate_as('one');
select is(pg_temp.permissions(), '{}', 'and so may an anonymous user');
select tests.authenticate_as('two');
select is(pg_temp.permissions(), '{canComment,canShareToFeed,canVote}', 'a registered person votes, comments and shares');
select tests.authenticate_as('author');
select is(
  pg_temp.permissions(), '{canComment,canDelete,canRepost,canShareToFeed,canVote}', 'a phone-confirmed one reposts, the author deletes'
);
select tests.authenticate_as('four');
select is(
  pg_temp.permissions(), '{canComment,canRepost,canShareToFeed,canShareToHubs,canVote}', 'a Hub-ready one shares to Hubs'
);

rollback to empty;

-- post_detail: permits less on private posts
select tests.elm();
select tests.slider('locked', 'jonas', 'private_locked_hub');
select tests.placed('locked', 'elm');
update app.posts set is_shareable = false where id = tests.id('locked');
select tests.slider('in two', 'jonas', 'private_locked_hub');
select tests.placed('in two', 'elm');
select tests.slider('public', 'jonas', 'public_hub');
select tests.placed('public', 'elm');

create function pg_temp.permissions(p_name text)
returns text[]
language sql
as $$
  select array_agg(permission.key order by permission.key)
  from jsonb_each(api.get_post(tests.arguments(p_name)) -> 'permissions') as permission
  where permission.value = 'true'
$$;

select tests.authenticate_as('maya');
select is(pg_temp.permissions('locked'), '{canShareToFeed,canVote}', 'no comments, no passing on');
select is(pg_temp.permissions('in two'), '{canRepost,canShareToFeed,canShareToHubs,canVote}', 'passed on where it is in two');
select is(
  pg_temp.permissions('public'), '{canComment,canRepost,canShareToFeed,canShareToHubs,canVote}', 'all of it where everybody may read it'
);
reset role;
update app.users set contacts_synced_at = null where id = tests.id('jonas');
select tests.authenticate_as('jonas');
select is(pg_temp.permissions('in two'), '{canDelete,canShareToFeed}', 'or passed on by who is not Hub-ready, its author either');
reset role;
update app.users set contacts_synced_at = app.now() where id = tests.id('jonas');
select app.end_membership(tests.id('elm'), tests.id('jonas'));
select tests.authenticate_as('jonas');
select is(pg_temp.permissions('in two'), '{canDelete,canRepost,canShareToFeed,canShareToHubs}', 'no vote of an author who is in none of its Hubs');
reset role;
select tests.vote('maya', 'in two', 'left');
select tests.authenticate_as('maya');
select is(pg_temp.permissions('in two'), '{canRepost,canShareToFeed,canShareToHubs}', 'nor a second one');
select tests.authenticate_as('amara');
select is(pg_temp.permissions('locked'), '{canShareToFeed,canVote}', 'each of whom votes by themself');
select tests.authenticate_as('lena');
select is(tests.refusal('get_post', tests.arguments('locked')), 'POST_NOT_FOUND', 'an outsider finds none');

rollback to empty;

-- post_slider: has two labels
select tests.person('maya');
select tests.slider('trams', 'maya');
select tests.post('bikes', 'maya');
select is(app.post_slider(p), '{"leftLabel": "Disagree", "rightLabel": "Agree"}', 'of its sides') from app.posts as p where p.id = tests.id('trams');
select is(app.post_slider(p), null, 'a post without one has none') from app.posts as p where p.id = tests.id('bikes');

rollback to empty;

-- require_post: is one that the caller sees
select tests.elm();
select tests.discussion('locked', 'jonas', 'elm');
select tests.authenticate_as('maya');
select is((app.require_post(tests.id('locked'))).thought_text, 'locked', 'a post');
select throws_ok($$ select app.require_post(tests.id('unknown')) $$, 'PT404', 'POST_NOT_FOUND', 'that is there');
select throws_ok('select app.require_post(null)', 'PT404', 'POST_NOT_FOUND', 'and named');
select tests.authenticate_as_guest();
select throws_ok($$ select app.require_post(tests.id('locked')) $$, 'PT404', 'POST_NOT_FOUND', 'and not hidden');

rollback to empty;

-- source_card: is what the original says
select tests.person('maya');
select tests.slider('trams', 'maya');
select tests.post('bikes', 'maya');
update app.posts set is_shareable = false where id = tests.id('bikes');
select is(
  app.source_card(p, '{"title": "Trams"}'),
  '{
    "article": {"title": "Trams"}, "thoughtText": null, "sliderText": "trams", "slider": {"leftLabel": "Disagree", "rightLabel": "Agree"},
    "isShareable": true
  }',
  'its article and slider'
)
from app.posts as p where p.id = tests.id('trams');
select is(
  app.source_card(p, null),
  '{"article": null, "thoughtText": "bikes", "sliderText": null, "slider": null, "isShareable": false}', 'or its thought, and whether it may be shared'
)
from app.posts as p where p.id = tests.id('bikes');
select is(app.source_card(null, '{}'), null, 'without one there is none');

select * from finish();
rollback;
