begin isolation level serializable;
select plan(2);

-- The permissions of a post name the operations that succeed, for every kind of viewer and post.
-- docs/product.md PO16
select tests.elm();
select tests.person(name, level)
from (values ('one', 1), ('two', 2), ('three', 3), ('ben', 4), ('kim', 4), ('nora', 4)) as made (name, level);
select tests.membership('elm', 'ben'), tests.membership('elm', 'kim');
select tests.hub('hub of ' || name, name) from unnest(array['maya', 'ben', 'kim', 'jonas', 'lena', 'nora']) as name;
select tests.slider('source', 'lena');

create temporary table posts (author text, kind text, id uuid);
create function pg_temp.publish(
  p_author text, p_kind text, p_hubs text[], p_args jsonb, p_visibility text default 'private_locked_hub'
)
returns void
language sql
as $$
  insert into posts
  select
    p_author, p_kind,
    (tests.value_as(p_author, format(
      'api.%s(%L)', case when p_kind like '%repost%' then 'create_repost' else 'create_post' end,
      p_args || tests.post_args('source')
        || jsonb_build_object('visibility', p_visibility, 'hubIds', to_jsonb(tests.ids(variadic p_hubs)))
    )) ->> 'id')::uuid
$$;
select
  pg_temp.publish(author, 'thought', '{}', '{"thoughtText": "So."}', 'public'),
  pg_temp.publish(author, 'slider', '{}', '{"sliderText": "So?"}', 'public'),
  pg_temp.publish(author, 'slider with votes', '{}', '{"sliderText": "So?"}', 'public'),
  pg_temp.publish(author, 'slider with votes in two Hubs', array['elm', 'hub of ' || author], '{"sliderText": "So?"}'),
  pg_temp.publish(author, 'public slider in a Hub', '{elm}', '{"sliderText": "So?"}', 'public_hub'),
  pg_temp.publish(author, 'slider in two Hubs', array['elm', 'hub of ' || author], '{"sliderText": "So?"}'),
  pg_temp.publish(author, 'slider shared onward', array['elm', 'hub of ' || author], '{"sliderText": "So?"}'),
  pg_temp.publish(author, 'slider in one Hub', '{elm}', '{"sliderText": "So?"}'),
  pg_temp.publish(author, 'repost', '{}', '{"thoughtText": "So."}', 'public'),
  pg_temp.publish(author, 'repost with a slider', '{}', '{"sliderText": "So?"}', 'public'),
  pg_temp.publish(author, 'repost in two Hubs', array['elm', 'hub of ' || author], '{"thoughtText": "So."}'),
  pg_temp.publish(author, 'repost in one Hub', '{elm}', '{"thoughtText": "So."}')
from unnest(array['maya', 'ben', 'kim']) as author;
insert into app.placements (post_id, hub_id, kind, placed_by)
select id, tests.id('hub of nora'), 'shared', tests.id(author) from posts where kind = 'slider shared onward';
select tests.value_as('jonas', format(
  'api.cast_vote(%L)',
  jsonb_build_object('postId', id, 'position', 'left', 'pendingVoteKeys', jsonb_build_array(tests.vote_key()))
))
from posts where kind like 'slider with votes%';
-- Ben has left the Hub, and Kim is at level 3 again.
select app.delete_memberships(tests.id('elm'), tests.id('ben'));
update app.users set contacts_synced_at = null where id = tests.id('kim');

create function pg_temp.permitted(p_viewer text, p_args jsonb)
returns text[]
language plpgsql
as $$
begin
  return array(
    select key from jsonb_each(tests.value_as(p_viewer, format('api.get_post(%L) -> ''permissions''', p_args)))
    where value = 'true' order by key
  );
exception when sqlstate 'PT404' then
  return '{}';
end
$$;

create function pg_temp.succeeding(p_viewer text, p_args jsonb)
returns text[]
language plpgsql
as $$
declare
  v_permission text;
  v_operation text;
  v_args jsonb;
  v_refusal text;
  v_names text[] := '{}';
begin
  for v_permission, v_operation, v_args in
    values
      ('canComment', 'create_comment', '{"text": "Well."}'::jsonb),
      ('canDelete', 'delete_post', '{}'),
      ('canRepost', 'create_repost', '{"visibility": "public", "thoughtText": "Look."}'),
      ('canShareToFeed', 'share_to_feed', '{}'),
      (
        'canShareToHubs', 'share_to_hubs',
        jsonb_build_object('hubIds', jsonb_build_array(tests.id('hub of ' || p_viewer)))
      ),
      (
        'canVote', 'cast_vote',
        jsonb_build_object('position', 'left', 'pendingVoteKeys', jsonb_build_array(tests.vote_key()))
      )
  loop
    begin
      v_refusal := tests.refusal_as(p_viewer, format('select api.%s(%L)', v_operation, p_args || v_args));
      raise exception 'undo the operation';
    exception when raise_exception then null;
    end;
    -- Any other error is a fault of this test.
    if v_refusal is null or v_refusal !~ '^(PT4|42501)' then
      v_names := v_names || coalesce(v_refusal, v_permission);
    end if;
  end loop;
  return v_names;
end
$$;

create temporary table pairs as
select
  viewer, p.author, p.kind, pg_temp.permitted(viewer, jsonb_build_object('postId', p.id)) as permitted,
  pg_temp.succeeding(viewer, jsonb_build_object('postId', p.id)) as succeeding
from unnest(array[null, 'one', 'two', 'three', 'lena', 'nora', 'jonas', 'maya', 'ben', 'kim']) as viewer
join posts as p on p.author in ('maya', viewer);
select is_empty(
  'select * from pairs where permitted <> succeeding',
  'permissions of a post name the operations that succeed for the viewer'
);
select set_eq(
  'select unnest(permitted) from pairs',
  array['canComment', 'canDelete', 'canRepost', 'canShareToFeed', 'canShareToHubs', 'canVote'],
  'the pairs of viewer and post cover every permission'
);

select * from finish();
rollback;
