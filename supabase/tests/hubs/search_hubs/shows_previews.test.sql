select plan(6);

select tests.elm();
select tests.person('guest', 1);
update app.hubs set name = 'Élm', custom_link = 'oak', description = 'Trees';

create function pg_temp.found(p_query text)
returns jsonb
language sql
return api.search_hubs(jsonb_build_object('q', p_query)) -> 'items';

select tests.act_as('jonas');
select is(
  pg_temp.found('elm'),
  jsonb_build_array(jsonb_build_object(
    'id', tests.id('elm'), 'name', 'Élm', 'description', 'Trees', 'profilePhotoUrl', null, 'memberCount', 3, 'viewerStatus', 'member', 'viewerRole', 'member'
  )),
  'a member sees one too'
);
select tests.act_as('guest');
select is(pg_temp.found('ELM') #>> '{0,viewerStatus}', 'none', 'an anonymous user finds them as well, however they are written');
select is(pg_temp.found('@oak') #> '{0,id}', to_jsonb(tests.id('elm')), 'by the link too');
select is(pg_temp.found('@'), '[]', 'who looks for nothing finds none');
select is(api.search_hubs('{"q": "birch"}'), '{"items": [], "nextCursor": null}', 'there may be none');
reset role;
select tests.invitation('invitation', 'elm', 'amara', 'lena');
select tests.act_as('lena');
select is(pg_temp.found('elm') #> '{0,invitationId}', to_jsonb(tests.id('invitation')), 'who is invited finds by what');

select * from finish();
