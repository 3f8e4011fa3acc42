select plan(3);

select tests.person('maya', 3);
select tests.act_as('maya');
create temporary table answers as
select api.create_post('{
  "article": {"url": "https://example.com", "title": "Trams", "text": "They ring."}, "thoughtText": "I like them.",
  "sliderText": "More of them?", "slider": {"leftLabel": "No", "rightLabel": "Yes"}, "visibility": "public"
}') as post;

select is(
  post - 'id' - 'author' - 'permissions' #- '{article,id}',
  '{
    "article": {"url": "https://example.com", "title": "Trams", "text": "They ring.", "media": []},
    "thoughtText": "I like them.", "sliderText": "More of them?", "slider": {"leftLabel": "No", "rightLabel": "Yes"},
    "visibility": "public", "hubs": [], "sourcePostId": null, "sourcePost": null, "isShareable": true,
    "viewerVote": {"hasVoted": false, "votedAt": null}, "voteScope": {"type": "global", "hubId": null},
    "voteSummary": {"totalVotes": 0, "resultsVisible": false, "leftCount": null, "neutralCount": null, "rightCount": null},
    "commentCount": 0, "repostCount": 0, "viewerSaved": false
  }' || jsonb_build_object('createdAt', app.iso(app.now())),
  'all that was said is on the card'
)
from answers;
select is(post -> 'author' ->> 'username', 'maya', 'by the author') from answers;
select is(
  post -> 'permissions',
  '{"canVote": true, "canComment": true, "canRepost": true, "canShareToFeed": true, "canShareToHubs": false, "canDelete": true}',
  'who may do with it what the level allows'
)
from answers;

select * from finish();
