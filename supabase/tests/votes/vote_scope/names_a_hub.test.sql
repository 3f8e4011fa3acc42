select plan(2);

select is(app.vote_scope(tests.id('elm')), jsonb_build_object('type', 'hub', 'hubId', tests.id('elm')), 'that of a Hub');
select is(app.vote_scope(null), '{"type": "global", "hubId": null}', 'or everybody''s');

select * from finish();
