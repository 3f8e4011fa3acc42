select plan(9);

select tests.elm();
select tests.slider('trams', 'lena');
select tests.slider('locked', 'jonas', 'private_locked_hub');
select tests.placed('locked', 'elm');
create function pg_temp.reached(p_post text, p_former integer, p_voters text[])
returns text
language plpgsql
as $$
begin
  delete from app.milestones;
  update app.posts set vote_count = p_former where id = tests.id(p_post);
  insert into app.fresh_votes (post_id, user_id) select tests.id(p_post), tests.id(voter) from unnest(p_voters) as voter;
  perform app.rank_votes(1000, 100000);
  return (select string_agg(format('%s to %s', m.next_total, m.last_total), ', ') from app.milestones as m where m.post_id = tests.id(p_post));
end
$$;
select is(pg_temp.reached('trams', 97, '{maya,jonas}'), null, 'below a hundred votes there is no milestone');
select is(pg_temp.reached('trams', 98, '{maya,jonas}'), '99 to 100', 'the hundredth may be one');
select is(pg_temp.reached('trams', 100, '{maya,jonas}'), null, 'those after it not');
select is(pg_temp.reached('trams', 199, '{maya,jonas}'), '200 to 201', 'the two hundredth again');
select is(pg_temp.reached('trams', 499, '{maya}'), '500 to 500', 'the five hundredth');
select is(pg_temp.reached('trams', 500, '{maya}'), '501 to 501', 'and from there on each, of somebody who voted 500 before');
select is(pg_temp.reached('trams', 501, '{maya,jonas}'), '502 to 503', 'however many');
select is(pg_temp.reached('trams', 501, '{}'), null, 'where somebody voted');
select is(pg_temp.reached('locked', 599, '{maya,jonas}'), null, 'on private posts none');

select * from finish();
