select plan(5);

select tests.elm();
select tests.hub(name, 'amara') from unnest(array['ash', 'oak', 'fir', 'yew', 'box', 'fig', 'bay', 'cob']) as name;
select tests.membership(name, 'lena') from unnest(array['elm', 'ash', 'oak']) as name;
select tests.join_request(name, name, 'lena') from unnest(array['fir', 'yew', 'box']) as name;
select tests.invitation(name, name, 'amara', 'lena') from unnest(array['fig', 'bay', 'cob']) as name;

-- The first of each part is of next year, the last of last year.
create function pg_temp.at(p_id uuid)
returns timestamptz
language sql
return app.now() + interval '1 year' * case when p_id = any (tests.ids('oak', 'yew', 'bay')) then 1 when p_id = any (tests.ids('elm', 'box', 'fig')) then -1 else 0 end;

update app.hubs set last_activity_at = pg_temp.at(id);
update app.join_requests set created_at = pg_temp.at(id);
update app.hub_invitations set created_at = pg_temp.at(id);

select tests.act_as('lena');
create temporary table answers as select api.list_my_hubs('{}') as page;
select is(
  tests.listed(page), tests.ids('bay', 'cob', 'fig', 'yew', 'fir', 'box', 'oak', 'ash', 'elm'),
  'whereto one is invited and where one asks, newest first; then one''s own, last active first'
)
from answers;
select is(page ->> 'nextCursor', null, 'all on a page') from answers;
select is(page #> '{items,0,invitationId}', to_jsonb(tests.id('bay')), 'with what is open') from answers;
select is(
  page #> '{items,8}', (select app.hub_card(h, app.standing_in(h.id)) from app.hubs as h where h.id = tests.id('elm')), 'each as the caller sees it'
)
from answers;
select is(tests.listed_in_parts('list_my_hubs', '{}'), tests.listed(page), 'or one after the other') from answers;

select * from finish();
