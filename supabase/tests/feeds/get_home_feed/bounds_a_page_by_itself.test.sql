select plan(2);

-- The Data API reaches this operation without the service, which holds the limit to 50 otherwise.
select tests.person('maya', 3);
insert into app.default_feed_users (user_id) values (tests.id('maya'));
insert into app.posts (author_id, thought_text, visibility) select tests.id('maya'), n, 'public' from generate_series(1, 60) as n;

create function pg_temp.size_of_page(p_arguments jsonb)
returns integer
language plpgsql
as $$
begin
  return jsonb_array_length(api.get_home_feed(p_arguments) -> 'items');
exception when sqlstate 'PT422' then
  return 0;
end
$$;

select tests.act_as_guest();
select cmp_ok(pg_temp.size_of_page('{"limit": 1000000}'), '<=', 50, 'no page has more than 50 posts');
select cmp_ok(pg_temp.size_of_page('{}'), '<=', 50, 'nor has one without a limit');

select * from finish();
